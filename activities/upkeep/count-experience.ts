import { ERROR_CAUSES, type Experience } from '../../domain/audience/experience.ts'
import {
  firstFrameTime,
  playAttempts,
  playErrors,
  plays,
  stalledPlays,
  stalledSeconds,
  watchedMediaSeconds,
  watchedSeconds,
} from '../../metrics/audience.ts'

// So that the first error of each cause is seen as an increase.
for (const cause of ERROR_CAUSES) playErrors.inc({ cause }, 0)

/** Adds what sessions have become to the metrics of this process. To call once it is committed. */
export function countExperience(experience: Experience): void {
  plays.inc(experience.plays)
  playAttempts.inc(experience.attempts)
  for (const [cause, sessions] of experience.errors) playErrors.inc({ cause }, sessions)
  watchedSeconds.inc(experience.watchedMs / 1000)
  watchedMediaSeconds.inc(experience.mediaMs / 1000)
  stalledSeconds.inc(experience.stalledMs / 1000)
  stalledPlays.inc(experience.stalledPlays)
  for (const ms of experience.firstFramesMs) firstFrameTime.observe(ms / 1000)
}
