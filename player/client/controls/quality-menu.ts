import { connectRadioMenu } from './radio-menu.ts'
import type { ShakaPlayer, VideoTrack } from '../playback/shaka.ts'
import type { Words } from '../words/words.ts'

const AUTO = 'auto'

/**
 * Offers automatic quality and each rung there is; a choice is kept when rungs are added. Automatic
 * quality does without a rung for half a minute whose frames are dropped or whose segments fail, and
 * Shaka Player then does not name it. No rung of a video ever goes, so each one that was seen stays.
 */
export function connectQualityMenu(player: ShakaPlayer, words: Words): void {
  let chosen = AUTO
  const rungs = new Map<string, number>()
  const apply = (): void => {
    // Off first: it brings every rung back.
    player.configure({ abr: { enabled: chosen === AUTO } })
    const track = player.getVideoTracks().find((one) => nameOf(one) === chosen)
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

/** A rung by its short side, as its name has it: `720p`. */
const nameOf = ({ width, height }: VideoTrack): string => `${Math.min(width ?? 0, height ?? 0)}p`
