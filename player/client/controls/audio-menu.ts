import type { AudioTrack, ShakaPlayer } from '../playback/shaka.ts'
import { fillIn } from '../words/words.ts'
import type { Words } from '../words/words.ts'
import { connectRadioMenu } from './radio-menu.ts'

/** Fills the menu of audio tracks, named by label or language. Hidden if there is only one. */
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
      text: nameOf(track, lang) ?? fillIn(words.menus.audioTrack, { number: index + 1 }),
    }))
    menu.offer(choices, String(tracks.findIndex(({ active }) => active)))
  }
  player.addEventListener('trackschanged', refresh)
  player.addEventListener('variantchanged', refresh)
  refresh()
}

function nameOf({ label, language: tag }: AudioTrack, language: string): string | null {
  if (label !== null && label !== '') return label
  if (tag === '' || tag === 'und') return null
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(tag) ?? null
  } catch {
    return null
  }
}
