import { copyText } from '../controls/copy-text.ts'
import type { Words } from '../locales/words.ts'
import { rungName } from '../playback/rung-name.ts'
import type { ShakaPlayer } from '../playback/shaka.ts'
import type { QualityLimit } from '../playback/why-not-more.ts'

/** What the statistics read. */
export interface StatisticsParts {
  container: HTMLElement
  video: HTMLVideoElement
  words: Words
  /** Null until the video has loaded. */
  player: ShakaPlayer | null
  limit: () => QualityLimit | null
  videoId: string
  sessionId: string
}

const REFRESH_MS = 1_000

/** Shows or hides a panel with what support asks for. It updates once a second while it is shown. */
export function toggleStatistics(parts: StatisticsParts): void {
  const shown = document.querySelector('.statistics')
  if (shown) return shown.remove()
  const { container, words } = parts
  const panel = document.createElement('section')
  panel.className = 'statistics'
  panel.slot = 'dialog'
  panel.toggleAttribute('noautohide', true)
  panel.ariaLabel = words.statistics.title
  const list = document.createElement('dl')
  const refresh = (): void => {
    if (!panel.isConnected) return clearInterval(timer)
    list.replaceChildren(...toRows(parts).flatMap(([name, value]) => [term(name), fact(value)]))
  }
  const copy = (): void =>
    void copyText(
      toRows(parts)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    )
  const close = button('close', words.statistics.close, () => panel.remove())
  panel.append(list, button('copy', words.statistics.copy, copy), close)
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') panel.remove()
  })
  const timer = setInterval(refresh, REFRESH_MS)
  container.append(panel)
  refresh()
  close.focus()
}

/** Names and values, in the order in which they are shown. Values without data are left out. */
function toRows(parts: StatisticsParts): [string, string][] {
  const { words, player, video } = parts
  const names = words.statistics
  const active = player?.getVideoTracks().find((track) => track.active)
  const { droppedVideoFrames, totalVideoFrames } = video.getVideoPlaybackQuality()
  const limit = parts.limit()
  const rows: [string, string | null][] = [
    [names.quality, active ? qualityOf(active, limit && words.limits[limit]) : null],
    [names.frame, `${video.clientWidth}×${video.clientHeight} ×${devicePixelRatio}`],
    [names.connection, player && megabits(player.getStats().estimatedBandwidth)],
    [names.buffer, `${bufferedAhead(video).toFixed(1)} s`],
    [names.droppedFrames, `${droppedVideoFrames} / ${totalVideoFrames}`],
    [names.codecs, active?.codecs ?? null],
    [names.keySystem, player?.keySystem() ?? null],
    [names.video, parts.videoId],
    [names.session, parts.sessionId],
  ]
  return rows.flatMap(([name, value]) => (value ? [[name, value] satisfies [string, string]] : []))
}

function qualityOf(
  track: ReturnType<ShakaPlayer['getVideoTracks']>[number],
  limit: string | null,
): string {
  const rate = track.frameRate === null ? '' : ` ${Math.round(track.frameRate * 100) / 100} fps`
  const why = limit === null ? '' : ` · ${limit}`
  return `${rungName(track)} (${track.width}×${track.height}${rate})${why}`
}

const megabits = (bitsPerSecond: number): string => `${(bitsPerSecond / 1e6).toFixed(1)} Mb/s`

/** Seconds that play from the current position without loading more. */
export function bufferedAhead({
  buffered,
  currentTime,
}: Pick<HTMLVideoElement, 'buffered' | 'currentTime'>): number {
  for (let index = 0; index < buffered.length; index++)
    if (buffered.start(index) <= currentTime && currentTime <= buffered.end(index))
      return buffered.end(index) - currentTime
  return 0
}

function term(text: string): HTMLElement {
  const made = document.createElement('dt')
  made.textContent = text
  return made
}

function fact(text: string): HTMLElement {
  const made = document.createElement('dd')
  made.textContent = text
  made.dir = 'ltr'
  return made
}

function button(name: string, text: string, run: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = name
  made.textContent = text
  made.addEventListener('click', run)
  return made
}
