/** Rows of captions in a picture. */
const ROWS = 15

/**
 * Says on the page where the captions stand that are shown, so that the bars move them to where they are seen. Returns what
 * brings it up to date when cues or tracks have changed.
 */
export function followCaptionPlace(tracks: readonly TextTrack[]): () => void {
  const update = (): void => {
    const shown = tracks.filter(({ mode }) => mode === 'showing')
    const cues = shown
      .flatMap(({ activeCues }) => [...(activeCues ?? [])])
      .filter((cue) => cue instanceof VTTCue)
    // Captions that come next move less often.
    if (cues.length > 0) document.documentElement.dataset.captionsAt = placeOf(cues)
  }
  for (const track of tracks) track.addEventListener('cuechange', update)
  return update
}

function placeOf(cues: VTTCue[]): 'side' | 'top' | 'bottom' {
  if (cues.every(({ vertical }) => vertical !== '')) return 'side'
  return cues.every(isInUpperHalf) ? 'top' : 'bottom'
}

const isInUpperHalf = ({ line, snapToLines }: VTTCue): boolean =>
  line !== 'auto' && line >= 0 && line < (snapToLines ? ROWS : 100) / 2
