import { insertAudience, insertViewers } from '../../../fixtures/audience-rows.ts'
import { HOUR, minutesBefore, type FilledAccount } from './filled-account.ts'
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
}

/** Inserts a few plays of the last days. */
export const insertFewPlays = (
  { t, accountId }: FilledAccount,
  videoId: string,
  endDay: string,
): Promise<void> =>
  insertAudience(t, { accountId, videoIds: [videoId], endDay, dayCount: 3, playsADay: 6 })
