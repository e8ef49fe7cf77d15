import type { PlayerExtras } from '../../player-data.ts'
import type { PlayerContext } from '../player-context.ts'
import { fillIn } from '../words/words.ts'
import type { Words } from '../words/words.ts'
import type { Announcer } from './feedback.ts'
import { connectRadioMenu } from './menus.ts'

const REMEMBERED = 'captions'
const OFF = 'off'

export interface CaptionContext extends Pick<
  PlayerContext,
  'video' | 'data' | 'session' | 'memory' | 'options'
> {
  words: Words
  announcer: Announcer
}

/**
 * Adds the caption tracks, and fetches the text of each when it is first shown. The track to start with
 * follows the option in the address, then the viewer's last choice, then the account's setting.
 */
export function addCaptions(context: CaptionContext, captions: PlayerExtras['captions']): void {
  const { video, session } = context
  const entries = captions.map((caption) => ({ ...makeTrack(video, caption), isFetched: false }))
  const fetchShown = (): void => {
    for (const entry of entries) {
      if (entry.isFetched || entry.track.mode !== 'showing') continue
      entry.isFetched = true
      void session
        .fetch(entry.url)
        .then((response) => response.blob())
        .then((blob) => (entry.element.src = URL.createObjectURL(blob)))
        .catch(() => (entry.isFetched = false))
    }
  }
  video.textTracks.addEventListener('change', fetchShown)
  const tracks = entries.map(({ track }) => track)
  const preferred = preferredTrack(context, tracks)
  show(tracks, startsShown(context) ? preferred : undefined)
  fetchShown()
  toggleOnRequest(video, tracks, preferred)
  connectMenu(context, tracks)
  rememberChoice(context, tracks)
}

/** Fills the menu of caption tracks. Hidden if the video has none. */
function connectMenu({ video, words }: CaptionContext, tracks: TextTrack[]): void {
  const menu = connectRadioMenu('captions-menu', (value) => show(tracks, tracks[Number(value)]))
  const choices = tracks.map(({ label }, index) => ({ value: String(index), text: label }))
  const refresh = (): void =>
    menu.offer(
      [{ value: OFF, text: words.menus.captionsOff }, ...choices],
      choices.find((_, index) => tracks[index]?.mode === 'showing')?.value ?? OFF,
    )
  video.textTracks.addEventListener('change', refresh)
  refresh()
}

/** Shows one track and hides all others; undefined hides all. */
function show(tracks: TextTrack[], shown: TextTrack | undefined): void {
  for (const track of tracks) track.mode = track === shown ? 'showing' : 'disabled'
}

function makeTrack(video: HTMLVideoElement, caption: PlayerExtras['captions'][number]) {
  const element = document.createElement('track')
  const { language_code: srclang, label, url } = caption
  Object.assign(element, { kind: 'captions', srclang, label })
  video.append(element)
  const { track } = element
  // Otherwise Chromium shows a track in the browser's language by itself.
  track.mode = 'hidden'
  return { element, track, url }
}

/** Makes the captions button and its key restore the track that was shown last. */
function toggleOnRequest(
  video: HTMLVideoElement,
  tracks: TextTrack[],
  preferred: TextTrack | undefined,
): void {
  let last = preferred
  const toggle = (event: Event): void => {
    event.stopImmediatePropagation()
    const shown = showing(tracks)
    last = shown ?? last
    show(tracks, shown ? undefined : last)
  }
  const controller = video.closest('media-controller')
  controller?.addEventListener('mediatogglesubtitlesrequest', toggle, { capture: true })
}

/** True if captions are shown from the start. */
function startsShown({ data, memory, options }: CaptionContext): boolean {
  const requested = options.captions ?? memory.read(REMEMBERED)
  return requested === null ? data.subtitles.enabled_by_default : requested !== OFF
}

/** Returns the track in the language that the viewer most likely prefers. */
function preferredTrack(
  { data, memory, options }: CaptionContext,
  tracks: TextTrack[],
): TextTrack | undefined {
  const languages = [
    options.captions,
    memory.read(REMEMBERED),
    data.subtitles.default_language,
    ...navigator.languages,
  ]
  for (const language of languages) {
    const found = language === null ? undefined : findTrack(tracks, language)
    if (found) return found
  }
  return tracks[0]
}

function findTrack(tracks: TextTrack[], tag: string): TextTrack | undefined {
  const primary = (text: string): string => text.toLowerCase().split('-')[0] ?? ''
  const exact = tracks.find(({ language }) => language.toLowerCase() === tag.toLowerCase())
  return exact ?? tracks.find(({ language }) => primary(language) === primary(tag))
}

function rememberChoice(
  { video, memory, words, announcer }: CaptionContext,
  tracks: TextTrack[],
): void {
  let last = showing(tracks)
  video.textTracks.addEventListener('change', () => {
    const now = showing(tracks)
    if (now === last) return
    last = now
    memory.write(REMEMBERED, now?.language ?? OFF)
    announcer.say(
      now ? fillIn(words.announce.captionsOn, { label: now.label }) : words.announce.captionsOff,
    )
  })
}

const showing = (tracks: TextTrack[]): TextTrack | undefined =>
  tracks.find(({ mode }) => mode === 'showing')
