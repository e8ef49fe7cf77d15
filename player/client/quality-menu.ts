import { connectRadioMenu } from './radio-menu.ts'
import type { ShakaPlayer, VideoTrack } from './shaka.ts'
import type { Words } from './words/words.ts'

const AUTO = 'auto'

/** Offers automatic quality and each rung there is; a choice is kept when rungs are added. */
export function connectQualityMenu(player: ShakaPlayer, words: Words): void {
  let chosen = AUTO
  const apply = (): void => {
    const track = player.getVideoTracks().find((one) => nameOf(one) === chosen)
    player.configure({ abr: { enabled: !track } })
    if (track && !track.active) player.selectVideoTrack(track, true)
  }
  const refresh = (): void => {
    const tracks = byQuality(player.getVideoTracks())
    const active = tracks.find((track) => track.active)
    const now = chosen === AUTO && active ? ` (${nameOf(active)})` : ''
    const choices = tracks.map((track) => ({ value: nameOf(track), text: nameOf(track) }))
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

function byQuality(tracks: VideoTrack[]): VideoTrack[] {
  const rungs = new Map<string, VideoTrack>()
  for (const track of tracks) if (!rungs.get(nameOf(track))?.active) rungs.set(nameOf(track), track)
  return [...rungs.values()].sort((a, b) => b.bandwidth - a.bandwidth)
}
