import { randomUUID } from 'node:crypto'
import { insertAudience, insertViewers } from '../../../fixtures/audience-rows.ts'
import { HOUR, insertOwn, minutesBefore, type FilledAccount } from './filled-account.ts'
import { MANY_VIDEOS } from './titles.ts'
import { SHOWN_VIDEO, type VideoIds } from './videos.ts'

/** The viewer of the page of a viewer. */
export const SHOWN_VIEWER = 'student-1037@school.example'

/** Inserts what was watched of the videos, most of the one that is shown, up to `endDay`. */
export async function insertWatched(
  account: FilledAccount,
  videos: VideoIds,
  endDay: string,
): Promise<void> {
  const { t, accountId } = account
  const titles = MANY_VIDEOS.filter(({ status }) => status === undefined).map(({ title }) => title)
  const videoIds = titles.flatMap((title) => videos.get(title) ?? [])
  await insertAudience(t, { accountId, videoIds, endDay, dayCount: 400, playsADay: 90 })
  const students = Array.from({ length: 28 }, (_, index) => `student-${1074 + 37 * index}`)
  const viewers = [...students, 'ليلى-حداد', SHOWN_VIEWER]
  const seenAt = (index: number): Date => minutesBefore(account, (31 - index) * 3 * HOUR)
  for (const title of [SHOWN_VIDEO, 'Q&A', 'Lesson 3: Light and colour'])
    await insertViewers(
      t,
      { accountId, videoId: videos.get(title) ?? '', durationMs: 596_000 },
      title === SHOWN_VIDEO ? viewers : viewers.slice(-2),
      seenAt,
    )
  for (const [index, error] of [null, 'network', null].entries())
    await insertOwn(account, 'playback_record', {
      id: randomUUID(),
      video_id: videos.get(SHOWN_VIDEO),
      viewer_id: SHOWN_VIEWER,
      signing_secret_version: 1,
      referer_host: 'www.school.example',
      user_agent: 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15',
      position_ms: 483_000 - 140_000 * index,
      watched_ms: 312_000 - 90_000 * index,
      error,
      bytes_loaded: 30_000_000,
      started_at: minutesBefore(account, (7 + 26 * index) * HOUR),
      last_seen_at: minutesBefore(account, (6 + 26 * index) * HOUR),
      ended_at: minutesBefore(account, (6 + 26 * index) * HOUR),
    })
}

/** Inserts a few plays of the last days. */
export const insertFewPlays = (
  { t, accountId }: FilledAccount,
  videoId: string,
  endDay: string,
): Promise<void> =>
  insertAudience(t, { accountId, videoIds: [videoId], endDay, dayCount: 3, playsADay: 6 })
