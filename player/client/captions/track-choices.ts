/** The tracks as choices of a menu or a list: the value is the index of the track. */
export const trackChoices = (tracks: readonly TextTrack[]): { value: string; text: string }[] =>
  tracks.map(({ label }, index) => ({ value: String(index), text: label }))
