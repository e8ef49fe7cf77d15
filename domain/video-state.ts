/** The states of a video (spec, "States and transitions"). */
export const VIDEO_STATUSES = ['queued', 'processing', 'playable', 'ready', 'failed'] as const

export type VideoStatus = (typeof VIDEO_STATUSES)[number]

/** The one table of transitions: a state never goes back. */
const TRANSITIONS: Record<VideoStatus, readonly VideoStatus[]> = {
  queued: ['processing', 'failed'],
  processing: ['playable', 'failed'],
  // An encoder that fails on a later rung ends a video that already played.
  playable: ['ready', 'failed'],
  ready: [],
  failed: [],
}

/** True where a video may go from `from` to `to`. */
export const canMove = (from: VideoStatus, to: VideoStatus): boolean =>
  TRANSITIONS[from].includes(to)

/** The states from which `to` can be reached in one step. */
export const statesBefore = (to: VideoStatus): VideoStatus[] =>
  VIDEO_STATUSES.filter((from) => canMove(from, to))

/** True where nothing can follow: the video's work is over. */
export const isFinal = (status: VideoStatus): boolean => TRANSITIONS[status].length === 0

/** True where the embed plays. */
export const isPlayable = (status: VideoStatus): boolean =>
  status === 'playable' || status === 'ready'
