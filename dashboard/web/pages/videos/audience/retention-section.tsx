import { Skeleton } from '@mantine/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Retention } from '../../../api/audience.ts'
import type { Video } from '../../../api/videos.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { Section } from '../../../parts/section.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import audience from '../../audience/audience.module.css'
import { Definition } from '../../audience/definition.tsx'
import { useAudienceWords } from '../../audience/words.ts'
import { CHAPTERS } from '../marks/mark-kinds.ts'
import { HighlightList } from './highlight-list.tsx'
import { RetentionCurve } from './retention-curve.tsx'

interface Props {
  account: string
  video: Video
  curve: UseQueryResult<Retention>
}

/** Which share of the plays has shown each part of the video, below the player and as wide. */
export function RetentionSection({ account, video, curve: { data, error, refetch } }: Props) {
  const { retention: words } = useAudienceWords()
  const { id, duration } = video
  const { data: chapters } = useQuery({
    queryKey: [CHAPTERS.name, account, id],
    queryFn: ({ signal }) => CHAPTERS.list(account, id, signal),
    enabled: video.chapter_count > 0,
  })
  const hasCurve = data !== undefined && data.plays > 0 && duration !== null && duration > 0
  return (
    <Section
      title={
        <span className={audience.titled}>
          {words.title}
          <Definition name={words.title} definitions={['retention']} />
        </span>
      }
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {hasCurve && (
        <>
          <RetentionCurve curve={data} duration={duration} chapters={chapters ?? []} />
          <HighlightList curve={data} duration={duration} />
          <Months curve={data} />
        </>
      )}
      {data && !hasCurve && <p className={audience.none}>{words.none}</p>}
      {!data && !error && <Skeleton height={170} aria-hidden />}
    </Section>
  )
}

function Months({ curve: { from, to } }: { curve: Retention }) {
  const { retention: words } = useAudienceWords()
  const { day } = useFormats()
  const days = { from: day(Date.parse(from), 'UTC'), to: day(Date.parse(to), 'UTC') }
  return (
    <p className={audience.note}>
      {words.hint} {interpolate(words.months, days)}
    </p>
  )
}
