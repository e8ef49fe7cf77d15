import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  TOP_VIDEOS,
  TOP_VIDEOS_MAX,
  topVideosQuery,
  type AudienceOrder,
  type AudienceVideo,
  type Days,
  type RangeInSearch,
} from '../../api/audience.ts'
import { useWords } from '../../locales/words.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import { Cell, DataTable, MainCell, RowLink, TableSkeleton } from '../../parts/lists/data-table.tsx'
import { Section } from '../../parts/section.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { LongText } from '../../parts/text/long-text.tsx'
import { VideoPicture } from '../../parts/video-picture.tsx'
import classes from './audience.module.css'
import { ORDERS } from './search.ts'
import { Share } from './share.tsx'
import { useAudienceWords } from './words.ts'

interface Props {
  account: string
  days: Days
  /** Which the page of a video shows as well. */
  time: RangeInSearch
  order: AudienceOrder
}

/** The most watched videos, each of which leads to its own audience. */
export function TopVideos({ account, days, time, order }: Props) {
  const words = useAudienceWords()
  const navigate = useNavigate()
  const [areAll, setAll] = useState(false)
  const limit = areAll ? TOP_VIDEOS_MAX : TOP_VIDEOS
  const { data, error, refetch } = useQuery(topVideosQuery(account, days, order, limit))
  const { top, metrics } = words
  const texts = { plays: metrics.plays, watch_seconds: metrics.watch }
  return (
    <Section
      title={top.title}
      actions={
        <Choice
          className={classes.order}
          aria-label={top.order}
          value={order}
          options={ORDERS.map((one) => [one, texts[one]])}
          onChoose={(chosen) =>
            void navigate({
              to: '.',
              search: (now) => ({ ...now, order: chosen }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      }
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && data.length > 0 && (
        <DataTable
          label={top.title}
          columns={[top.video, metrics.plays, metrics.watch, top.completed]}
        >
          {data.map((video) => (
            <VideoRow
              key={video.video_id}
              account={account}
              video={video}
              time={time}
              most={Math.max(...data.map((one) => one[order]))}
              order={order}
            />
          ))}
        </DataTable>
      )}
      {data && data.length >= TOP_VIDEOS && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.more}
          onClick={() => setAll(!areAll)}
        >
          {areAll ? words.fewer : words.more}
        </Button>
      )}
      {data?.length === 0 && <p className={classes.none}>{words.nothing}</p>}
      {!data && !error && <TableSkeleton height={40} />}
    </Section>
  )
}

interface RowProps {
  account: string
  video: AudienceVideo
  time: RangeInSearch
  /** The value of the first row. */
  most: number
  order: AudienceOrder
}

function VideoRow({ account, video, time, most, order }: RowProps) {
  const { videos } = useWords()
  const { metrics, top } = useAudienceWords()
  const { number, hours, share } = useFormats()
  const { video_id: id, title, completion_rate: completed } = video
  return (
    <tr>
      <MainCell>
        <div className={classes.pictured}>
          <VideoPicture url={video.poster_url} />
          <RowLink
            to="/accounts/$account/videos/$video/audience"
            params={{ account, video: id }}
            search={time}
          >
            <LongText>{title.trim() || videos.untitled}</LongText>
          </RowLink>
        </div>
      </MainCell>
      <Cell label={metrics.plays}>
        <Share value={order === 'plays' ? video.plays / most : null}>{number(video.plays)}</Share>
      </Cell>
      <Cell label={metrics.watch}>
        <Share value={order === 'watch_seconds' ? video.watch_seconds / most : null}>
          {hours(video.watch_seconds)}
        </Share>
      </Cell>
      <Cell label={top.completed}>{completed === null ? '–' : share(completed)}</Cell>
    </tr>
  )
}
