/** Which captions the viewer sees. */
export interface ShownCaptions {
  /** Undefined: no captions. */
  first(): TextTrack | undefined
  /** The second language; it is only visible together with the first. */
  second(): TextTrack | undefined
  show(track: TextTrack | undefined): void
  showSecond(track: TextTrack | undefined): void
  /** Keeps a track readable for the transcript, also while it is not visible. */
  read(track: TextTrack | undefined): void
}

/** Names the second language on the video element, because the mode of both tracks is `showing`. */
const SECOND = 'secondCaptions'

/**
 * Shows one or two of the tracks and hides the others. Also follows changes by the browser's own controls and by
 * the embedding page, which know one language only. Calls `onChange` after every change.
 */
export function showCaptions(
  video: HTMLVideoElement,
  tracks: readonly TextTrack[],
  onChange: () => void,
): ShownCaptions {
  let first: TextTrack | undefined
  let second: TextTrack | undefined
  let transcript: TextTrack | undefined
  const modeOf = (track: TextTrack): TextTrackMode => {
    if (track === first || (first && track === second)) return 'showing'
    return track === transcript ? 'hidden' : 'disabled'
  }
  const apply = (): void => {
    if (first && second && second !== first) video.dataset[SECOND] = second.language
    else delete video.dataset[SECOND]
    for (const track of tracks) if (track.mode !== modeOf(track)) track.mode = modeOf(track)
    onChange()
  }
  video.textTracks.addEventListener('change', () => {
    const showing = tracks.filter(({ mode }) => mode === 'showing')
    if (!first || !showing.includes(first))
      first = showing.find((track) => track !== second) ?? showing[0]
    apply()
  })
  return {
    first: () => first,
    second: () => second,
    show(track) {
      first = track
      apply()
    },
    showSecond(track) {
      second = track
      apply()
    },
    read(track) {
      transcript = track
      apply()
    },
  }
}
