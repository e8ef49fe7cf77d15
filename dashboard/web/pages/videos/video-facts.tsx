import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Video } from '../../api/videos.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { useFormats } from '../../parts/formats.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { useWords } from '../../words/words.tsx'
import classes from './videos.module.css'

/** What is known of a video, as names and values. */
export function VideoFacts({ video }: { video: Video }) {
  const { video: texts } = useWords()
  const { bytes, duration } = useFormats()
  const size = video.width !== null && video.height !== null && `${video.width} × ${video.height}`
  return (
    <section className={classes.section} aria-labelledby="facts">
      <Title order={2} id="facts">
        {texts.facts}
      </Title>
      <dl className={classes.facts}>
        <Fact
          name={texts.id}
          value={
            <>
              <code dir="ltr">{video.id}</code>
              <CopyButton text={video.id} label={texts.id} />
            </>
          }
        />
        <Fact name={texts.duration} value={video.duration !== null && duration(video.duration)} />
        <Fact name={texts.picture} value={size && <span dir="ltr">{size}</span>} />
        <Fact name={texts.renditions} value={video.resolutions.map(rungName).join(', ')} />
        <Fact name={texts.size} value={video.size_bytes > 0 && bytes(video.size_bytes)} />
        <Fact name={texts.added} value={<RelativeTime at={video.created_at} />} />
        <Fact name={texts.changed} value={<RelativeTime at={video.updated_at} />} />
      </dl>
    </section>
  )
}

const rungName = (side: number): string => `${side}p`

/** A fact that is not known is left out. */
const Fact = ({ name, value }: { name: string; value: ReactNode }) =>
  Boolean(value) && (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
