import { resumeSeconds } from '../../../domain/playback/playback-session.ts'
import type { EmbedOptions } from '../../embed-options.ts'
import type { PlayerData } from '../../player-data.ts'
import type { Memory } from '../memory.ts'

const SAVE_EVERY_MS = 5_000

/** A position at which a viewer left a video. */
interface SavedPosition {
  /** 0 for the beginning. */
  seconds: number
  /** By this browser's clock. */
  atMs: number
}

/**
 * Returns the start position in seconds, or null for the beginning. The server stores a verified viewer's
 * position from all devices. This browser may store a newer one, because its last heartbeat can arrive
 * after the server has rendered this page. `requestedAtMs` is the time of the page's request.
 */
export function startPosition(
  data: PlayerData,
  options: EmbedOptions,
  memory: Memory,
  requestedAtMs = performance.timeOrigin,
): number | null {
  if (options.startSeconds !== null) return options.startSeconds
  const local = readPosition(memory.read(nameOf(data)))
  const { resumeSeconds: seconds, resumeAgeMs } = data
  const remote =
    resumeAgeMs === null ? null : { seconds: seconds ?? 0, atMs: requestedAtMs - resumeAgeMs }
  const newest = local && remote ? (local.atMs >= remote.atMs ? local : remote) : (local ?? remote)
  return newest && newest.seconds > 0 ? newest.seconds : null
}

/** Saves the viewer's position in the browser: every few seconds, on pause, and when the page closes. */
export function rememberPosition(video: HTMLVideoElement, data: PlayerData, memory: Memory): void {
  const save = (): void => {
    const { currentTime, duration } = video
    if (!Number.isFinite(duration)) return
    const seconds = resumeSeconds(currentTime * 1000, duration * 1000) ?? 0
    memory.write(nameOf(data), `${seconds}@${Date.now()}`)
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

/** Includes the viewer: several verified viewers may share a browser. */
const nameOf = ({ videoId, viewerKey }: PlayerData): string =>
  `position:${videoId}${viewerKey === null ? '' : `:${viewerKey}`}`

function readPosition(text: string | null): SavedPosition | null {
  if (text === null) return null
  const [seconds, atMs = 0] = text.split('@').map(Number)
  return seconds !== undefined && seconds >= 0 && atMs >= 0 ? { seconds, atMs } : null
}
