import type { Logger } from 'pino'
import type { Database } from '../../../db/database.ts'
import { putPlayheads, type Playhead } from '../../../db/ingest/write-playheads.ts'
import { isPlayable } from '../../../domain/videos/video-state.ts'
import type { ObservedVideo } from './growing-videos.ts'

/** Encoders choose their next chunk every few seconds. */
const WRITE_MS = 1_000
/** Of all videos that are prepared and watched at the same time. */
const PLAYHEADS_MAX = 5_000

/** Tells the encoders where the viewers of a process are, who may be many at the same place. */
export interface Playheads {
  /** Notes that a viewer watches or waits for a position. Does nothing for a video that need not be encoded for it. */
  note(videoId: string, video: ObservedVideo | null, positionMs: number): void
}

/** Writes the noted chunks once a second, in one statement. A write that fails is not repeated: players say again where they are. */
export function createPlayheads(db: Database, logger: Logger): Playheads {
  const noted = new Map<string, Playhead>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = async (): Promise<void> => {
    const playheads = [...noted.values()]
    noted.clear()
    timer = undefined
    await putPlayheads(db, playheads).catch((error: unknown) =>
      logger.warn({ err: error }, 'the places of viewers were not written'),
    )
  }
  return {
    note(videoId, video, positionMs) {
      if (!video || isPlayable(video.status)) return
      const index = video.startsMs.findLastIndex((startMs) => startMs <= positionMs)
      if (index < 0 || noted.size >= PLAYHEADS_MAX) return
      noted.set(`${videoId} ${index}`, { videoId, index })
      timer ??= setTimeout(() => void write(), WRITE_MS).unref()
    },
  }
}
