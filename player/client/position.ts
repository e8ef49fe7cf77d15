import type { PlayerData } from '../player-data.ts'
import type { Memory } from './memory.ts'
import type { EmbedOptions } from './options.ts'

const SAVE_EVERY_MS = 5_000
/** Whoever left this near to the start or to the end begins anew. */
const NEAR_START_SECONDS = 10
const NEAR_END_SECONDS = 15

/** Where the film begins for this viewer, in seconds; null for its start. */
export function startPosition(
  data: PlayerData,
  options: EmbedOptions,
  memory: Memory,
): number | null {
  if (options.startSeconds !== null) return options.startSeconds
  // Who watches is known on the server, on every device; others have this browser's memory.
  const left = data.isVerified ? data.resumeSeconds : Number(memory.read(nameOf(data)))
  return left !== null && left > 0 ? left : null
}

/** Remembers where the viewer is. */
export function rememberPosition(video: HTMLVideoElement, data: PlayerData, memory: Memory): void {
  if (data.isVerified) return
  const save = (): void => {
    const { currentTime, duration } = video
    if (!Number.isFinite(duration)) return
    const isAtEdge = currentTime < NEAR_START_SECONDS || currentTime > duration - NEAR_END_SECONDS
    memory.write(nameOf(data), isAtEdge ? null : String(Math.floor(currentTime)))
  }
  let savedAt = 0
  video.addEventListener('timeupdate', () => {
    if (performance.now() - savedAt < SAVE_EVERY_MS) return
    savedAt = performance.now()
    save()
  })
  video.addEventListener('pause', save)
  addEventListener('pagehide', save)
}

const nameOf = ({ videoId }: PlayerData): string => `position:${videoId}`
