import type { Video } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { Section } from '../../../parts/section.tsx'
import { CopiedFact, Fact, Facts } from '../../../parts/text/facts.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'

/** What is known of a video, as names and values. */
export function VideoFacts({ video }: { video: Video }) {
  const { video: texts } = useWords()
  const { bytes, duration } = useFormats()
  const size = video.width !== null && video.height !== null && `${video.width} × ${video.height}`
  return (
    <Section title={texts.facts}>
      <Facts>
        <CopiedFact name={texts.id} value={video.id} />
        <Fact name={texts.duration} value={video.duration !== null && duration(video.duration)} />
        <Fact name={texts.picture} value={size && <span dir="ltr">{size}</span>} />
        <Fact name={texts.renditions} value={video.resolutions.map(rungName).join(', ')} />
        <Fact name={texts.size} value={video.size_bytes > 0 && bytes(video.size_bytes)} />
        <Fact name={texts.added} value={<RelativeTime at={video.created_at} />} />
        <Fact name={texts.changed} value={<RelativeTime at={video.updated_at} />} />
      </Facts>
    </Section>
  )
}

const rungName = (side: number): string => `${side}p`
