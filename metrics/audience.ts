import { counter, histogram } from './registry.ts'

export const plays = counter(
  'reelgate_plays_total',
  'Plays that were counted: sessions that have played for at least three seconds, three minutes after they have ended, and each hour of one that goes on. So are all metrics of the audience.',
)

export const playAttempts = counter(
  'reelgate_play_attempts_total',
  'Plays, and sessions that failed before they were one.',
)

export const playErrors = counter(
  'reelgate_play_errors_total',
  'Sessions in which playback has failed for good, before or after it began, by the first `cause`. `other` is one that no player of this release reports.',
  ['cause'],
)

export const watchedSeconds = counter(
  'reelgate_watched_seconds_total',
  'Seconds that plays have played, by wall clock.',
)

export const watchedMediaSeconds = counter(
  'reelgate_watched_media_seconds_total',
  'Seconds of video that plays have played: at double speed, two in each second.',
)

export const stalledSeconds = counter(
  'reelgate_stalled_seconds_total',
  'Seconds that plays were interrupted by buffering, without waits after seeks. Divided by these and the watched seconds, they are the stall ratio.',
)

export const stalledPlays = counter(
  'reelgate_stalled_plays_total',
  'Plays that were interrupted by buffering at least once.',
)

export const firstFrameTime = histogram(
  'reelgate_first_frame_seconds',
  'Time from the order to play to the first frame of plays.',
  [],
  [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 30],
)
