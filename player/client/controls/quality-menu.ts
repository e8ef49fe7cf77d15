import type { ShakaPlayer, VideoTrack } from '../playback/shaka.ts'
import type { Words } from '../words/words.ts'
import { connectRadioMenu } from './radio-menu.ts'

const AUTO = 'auto'

/**
 * Offers automatic quality and every rung. The choice persists when rungs are added. After dropped
 * frames or failed segments, Shaka Player disables a rung for half a minute and does not list it. Videos
 * never lose rungs, so the menu keeps each rung that was ever listed.
 */
export function connectQualityMenu(player: ShakaPlayer, words: Words): void {
  let chosen = AUTO
  const rungs = new Map<string, number>()
  const apply = (): void => {
    // First: switching automatic quality off enables every rung again.
    player.configure({ abr: { enabled: chosen === AUTO } })
    const track = player.getVideoTracks().find((candidate) => nameOf(candidate) === chosen)
    if (track && !track.active) player.selectVideoTrack(track, true)
  }
  const refresh = (): void => {
    const tracks = player.getVideoTracks()
    for (const track of tracks) rungs.set(nameOf(track), track.bandwidth)
    const active = tracks.find((track) => track.active)
    const now = chosen === AUTO && active ? ` (${nameOf(active)})` : ''
    const names = [...rungs].sort(([, a], [, b]) => b - a).map(([name]) => name)
    const choices = names.map((name) => ({ value: name, text: name }))
    menu.offer([{ value: AUTO, text: `${words.menus.auto}${now}` }, ...choices], chosen)
  }
  const menu = connectRadioMenu('quality-menu', (value) => {
    chosen = value
    apply()
    refresh()
  })
  player.addEventListener('adaptation', refresh)
  player.addEventListener('variantchanged', refresh)
  player.addEventListener('trackschanged', () => {
    if (chosen !== AUTO) apply()
    refresh()
  })
  refresh()
}

/** Names a rung by its short side, such as `720p`. */
const nameOf = ({ width, height }: VideoTrack): string => `${Math.min(width ?? 0, height ?? 0)}p`
