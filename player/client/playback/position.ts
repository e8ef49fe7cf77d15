import { resumeSeconds } from '../../../domain/resume-position.ts'
import type { PlayerData } from '../../player-data.ts'
import type { Memory } from '../memory.ts'
import type { EmbedOptions } from '../../embed-options.ts'

const SAVE_EVERY_MS = 5_000

/** Where a viewer left a video. */
interface Left {
  /** 0 to start from the beginning. */
  seconds: number
  /** By this browser's clock. */
  atMs: number
}

/**
 * Where the video begins for this viewer, in seconds; null for its start. The server knows a verified
 * viewer's position on every device, this browser may know a newer one: what it sent when its last
 * page went can arrive after this page was made. `askedAtMs` is when this page was asked for.
 */
export function startPosition(
  data: PlayerData,
  options: EmbedOptions,
  memory: Memory,
  askedAtMs = performance.timeOrigin,
): number | null {
  if (options.startSeconds !== null) return options.startSeconds
  const here = readLeft(memory.read(nameOf(data)))
  const { resumeSeconds: seconds, resumeAgeMs } = data
  const there =
    resumeAgeMs === null ? null : { seconds: seconds ?? 0, atMs: askedAtMs - resumeAgeMs }
  const left = here && there ? (here.atMs >= there.atMs ? here : there) : (here ?? there)
  return left && left.seconds > 0 ? left.seconds : null
}

/** Remembers where the viewer is. */
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

/** Several verified viewers may share a browser. */
const nameOf = ({ videoId, viewerKey }: PlayerData): string =>
  `position:${videoId}${viewerKey === null ? '' : `:${viewerKey}`}`

function readLeft(text: string | null): Left | null {
  if (text === null) return null
  const [seconds, atMs = 0] = text.split('@').map(Number)
  return seconds !== undefined && seconds >= 0 && atMs >= 0 ? { seconds, atMs } : null
}
