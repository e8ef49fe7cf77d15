/** The states of a video (contract, "States and transitions"). */
export const VIDEO_STATUSES = ['queued', 'processing', 'playable', 'ready', 'failed'] as const

export type VideoStatus = (typeof VIDEO_STATUSES)[number]

/** The possible transitions; a video never returns to an earlier state. */
const TRANSITIONS: Record<VideoStatus, readonly VideoStatus[]> = {
  queued: ['processing', 'failed'],
  processing: ['playable', 'failed'],
  // A later rung may fail after the video became playable.
  playable: ['ready', 'failed'],
  ready: [],
  failed: [],
}

/** Returns whether a video may change from `from` to `to`. */
export const canMove = (from: VideoStatus, to: VideoStatus): boolean =>
  TRANSITIONS[from].includes(to)

/** Returns the states from which `to` can be reached in one step. */
export const statesBefore = (to: VideoStatus): VideoStatus[] =>
  VIDEO_STATUSES.filter((from) => canMove(from, to))

/** Returns whether the state is final: the ingest has ended. */
export const isFinal = (status: VideoStatus): boolean => TRANSITIONS[status].length === 0

/** Returns whether the embed page plays a video in this state. */
export const isPlayable = (status: VideoStatus): boolean =>
  status === 'playable' || status === 'ready'
