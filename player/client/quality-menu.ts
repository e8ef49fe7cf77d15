import type { ShakaPlayer, VariantTrack } from './shaka.ts'

const AUTO = 'auto'

/** Offers automatic quality and each rung there is; keeps a choice when rungs are added. */
export function connectQualityMenu(player: ShakaPlayer): { refresh(): void } {
  const menu = document.querySelector<HTMLSelectElement>('#quality')
  const refresh = (): void => {
    if (!menu) return
    const chosen = menu.value
    const tracks = byHeight(player.getVariantTracks())
    const options = [new Option('Auto', AUTO)]
    for (const { height, width } of tracks)
      options.push(new Option(`${Math.min(height ?? 0, width ?? 0)}p`, String(height)))
    menu.replaceChildren(...options)
    menu.value = tracks.some(({ height }) => String(height) === chosen) ? chosen : AUTO
    apply()
  }
  const apply = (): void => {
    const isAuto = menu?.value === AUTO
    player.configure({ abr: { enabled: isAuto } })
    const track = byHeight(player.getVariantTracks()).find(
      ({ height }) => String(height) === menu?.value,
    )
    if (!isAuto && track) player.selectVariantTrack(track, true)
  }
  menu?.addEventListener('change', apply)
  return { refresh }
}

function byHeight(tracks: VariantTrack[]): VariantTrack[] {
  const rungs = new Map<number | null, VariantTrack>()
  for (const track of tracks) if (!rungs.get(track.height)?.active) rungs.set(track.height, track)
  return [...rungs.values()].sort((a, b) => (b.height ?? 0) - (a.height ?? 0))
}
