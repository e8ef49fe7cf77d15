/**
 * What an audio track is for, if it is not simply the audio of the picture: an audio description for blind viewers, a
 * commentary, a mix in which speech is easier to understand, or a translation.
 */
const AUDIO_PURPOSES = ['description', 'commentary', 'clear-speech', 'dub'] as const

export type AudioPurpose = (typeof AUDIO_PURPOSES)[number]

/** What a file states of an audio track. The flags are those of Matroska, MP4 and transport streams, as ffmpeg names them. */
export interface AudioMarks {
  default: boolean
  visual_impaired: boolean
  comment: boolean
  hearing_impaired: boolean
  dub: boolean
}

/** Words of titles, in the languages of the player. */
const TITLES: Readonly<Record<AudioPurpose, RegExp>> = {
  description:
    /audio[\s-]?des[ck]ri|descri(?:ptive|bed) (?:audio|video)|video description|\bDVS\b|hörfilm|visually impaired|sehbehindert|malvoyant|وصف صوتي|الوصف الصوتي/iu,
  commentary: /\bcommentary|\bcommentaire|kommentar|\bcomentari|\bcomentári|تعليق/iu,
  'clear-speech':
    /clean audio|(?:clear|enhanced) (?:dialog(?:ue)?|speech)|dialog(?:ue)? boost|hearing impaired|hard of hearing|hörgeschädigt|schwerhörig|malentendant/iu,
  dub: /(?<!\p{L})(?:dub(?:bed)?|doublage|doublée?|synchronfassung|synchronisiert|dobla(?:je|d[ao])|dubla(?:gem|d[ao]))(?!\p{L})|دبلجة|مدبلج/iu,
}

/** Returns what a title says of its track; null if it says nothing of its purpose. */
export const purposeOfTitle = (title: string): AudioPurpose | null =>
  AUDIO_PURPOSES.find((purpose) => TITLES[purpose].test(title)) ?? null

/** True if a title consists of a purpose, so that a word of another language says the same. */
export const isOnlyPurpose = (title: string, purpose: AudioPurpose): boolean =>
  new RegExp(`^\\P{L}*\\p{L}*(?:${TITLES[purpose].source})\\p{L}*\\P{L}*$`, 'iu').test(title)

const flaggedPurpose = (marks: AudioMarks): AudioPurpose | null => {
  if (marks.visual_impaired) return 'description'
  if (marks.comment) return 'commentary'
  if (marks.hearing_impaired) return 'clear-speech'
  return marks.dub ? 'dub' : null
}

/** Returns what a track is for by its flags; by its title if they say nothing. */
export const purposeOf = (marks: AudioMarks, title: string | null): AudioPurpose | null =>
  flaggedPurpose(marks) ?? purposeOfTitle(title ?? '')

interface Candidate {
  marks: AudioMarks
  title: string | null
}

/**
 * The lower, the likelier a track is the main one. Muxers of MP4 make the first track the default by themselves, so the flag
 * counts less than a flag of a purpose, but more than a title. An audio description is the main track only if all are.
 */
function rankOf({ marks, title }: Candidate): number {
  const purpose = purposeOf(marks, title)
  if (purpose === 'description') return 4
  const isAside = purpose === 'commentary' || purpose === 'clear-speech'
  if (isAside && (flaggedPurpose(marks) !== null || !marks.default)) return 3
  if (marks.default) return 0
  return purpose === 'dub' ? 2 : 1
}

/** Returns the tracks with the main one first, and the others in the order of the file. */
export function mainFirst<Track extends Candidate>(tracks: readonly Track[]): Track[] {
  const [first, ...rest] = tracks
  if (!first) return []
  const main = rest.reduce((best, one) => (rankOf(one) < rankOf(best) ? one : best), first)
  return [main, ...tracks.filter((track) => track !== main)]
}
