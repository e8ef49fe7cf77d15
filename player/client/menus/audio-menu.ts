import {
  isOnlyPurpose,
  purposeOfTitle,
  type AudioPurpose,
} from '../../../domain/encoding/audio-purpose.ts'
import { fillIn, type Words } from '../locales/words.ts'
import type { AudioTrack, ShakaPlayer } from '../playback/shaka.ts'
import { connectRadioMenu } from './radio-menu.ts'

/** Fills the menu of audio tracks, named by language, title and purpose. Hidden if there is only one. */
export function connectAudioMenu(player: ShakaPlayer, words: Words): void {
  const { lang } = document.documentElement
  const menu = connectRadioMenu('audio-menu', (value) => {
    const track = player.getAudioTracks()[Number(value)]
    if (track) player.selectAudioTrack(track)
  })
  const refresh = (): void => {
    const tracks = player.getAudioTracks()
    const choices = tracks.map((track, index) => ({
      value: String(index),
      text: trackName(track, lang, words) ?? fillIn(words.menus.audioTrack, { number: index + 1 }),
    }))
    menu.offer(choices, String(tracks.findIndex(({ active }) => active)))
  }
  player.addEventListener('trackschanged', refresh)
  player.addEventListener('variantchanged', refresh)
  refresh()
}

/**
 * Such as `English · Take two · Audio description`, without what the title says by itself. Null if a track has no language,
 * title or purpose.
 */
function trackName(track: AudioTrack, language: string, words: Words): string | null {
  const { label, language: tag } = track
  const title = label ?? ''
  const purpose = purposeOf(track)
  if (purpose === null) return languageAndTitle(tag, title, language)
  const word = words.audioPurposes[purpose]
  if (isOnlyPurpose(title, purpose))
    return [languageName(tag, language), word].filter(Boolean).join(' · ')
  const named = languageAndTitle(tag, title, language)
  const isSaid = purposeOfTitle(title) === purpose
  return [named, isSaid ? null : word].filter(Boolean).join(' · ')
}

/** Such as `English · Take two`; the title alone if it names the language. Null if a track has neither. */
function languageAndTitle(tag: string, title: string, language: string): string | null {
  const spoken = languageName(tag, language)
  if (title === '' || spoken === null) return title || spoken
  const names = [spoken, tag, languageName(tag, tag)].map((name) => name?.toLowerCase())
  if (names.includes(title.toLowerCase())) return spoken
  return title.toLowerCase().includes(spoken.toLowerCase()) ? title : `${spoken} · ${title}`
}

/** Roles of DASH, and kinds of native tracks. */
const ROLES: Readonly<Record<string, AudioPurpose>> = {
  description: 'description',
  descriptions: 'description',
  'main-desc': 'description',
  commentary: 'commentary',
  'enhanced-audio-intelligibility': 'clear-speech',
  dub: 'dub',
}

function purposeOf({ roles, accessibilityPurpose }: AudioTrack): AudioPurpose | null {
  if (accessibilityPurpose === 'visually impaired') return 'description'
  if (accessibilityPurpose === 'hard of hearing') return 'clear-speech'
  return roles.map((role) => ROLES[role]).find(Boolean) ?? null
}

function languageName(tag: string, language: string): string | null {
  if (tag === '' || tag === 'und') return null
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(tag) ?? null
  } catch {
    return null
  }
}
