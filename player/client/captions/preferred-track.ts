/** A caption track, as far as its language matters. */
type Spoken = Pick<TextTrack, 'language'>

/** Returns the track in the first of the languages that has one, or the first track. Null is no language. */
export function preferredTrack<T extends Spoken>(
  tracks: readonly T[],
  languages: readonly (string | null)[],
): T | undefined {
  for (const language of languages) {
    const found = language === null ? undefined : findTrack(tracks, language)
    if (found) return found
  }
  return tracks[0]
}

/** Returns the track in a language, or in another form of it, such as `pt-BR` for `pt`. */
export function findTrack<T extends Spoken>(tracks: readonly T[], tag: string): T | undefined {
  const primary = (text: string): string => text.toLowerCase().split('-')[0] ?? ''
  const exact = tracks.find(({ language }) => language.toLowerCase() === tag.toLowerCase())
  return exact ?? tracks.find(({ language }) => primary(language) === primary(tag))
}
