import type { PlayerExtras } from '../../player-data.ts'
import type { Announcer } from './announce.ts'
import { fillIn } from '../words/fill-in.ts'
import { connectRadioMenu } from './radio-menu.ts'
import type { Stage } from '../player-context.ts'
import type { Words } from '../words/words.ts'

const REMEMBERED = 'captions'
const OFF = 'off'

export interface CaptionContext extends Pick<
  Stage,
  'video' | 'data' | 'session' | 'memory' | 'options'
> {
  words: Words
  announcer: Announcer
}

/**
 * Adds the caption tracks; the text of a track is fetched when it is first shown. What the viewer
 * chose last time is shown, else what the address or the account asks for.
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
  const first = beginsShown(context) ? preferred : undefined
  show(tracks, first)
  fetchShown()
  toggleOnRequest(video, tracks, preferred)
  connectMenu(context, tracks)
  rememberChoice(context, tracks)
}

/** Names the caption tracks, and which one is shown; hidden if the video has none. */
function connectMenu({ video, words }: CaptionContext, tracks: TextTrack[]): void {
  const menu = connectRadioMenu('captions-menu', (value) => show(tracks, tracks[Number(value)]))
  const choices = tracks.map(({ label }, at) => ({ value: String(at), text: label }))
  const refresh = (): void =>
    menu.offer(
      [{ value: OFF, text: words.menus.captionsOff }, ...choices],
      choices.find((_, at) => tracks[at]?.mode === 'showing')?.value ?? OFF,
    )
  video.textTracks.addEventListener('change', refresh)
  refresh()
}

/** Shows one track and no other; none where it is undefined. */
function show(tracks: TextTrack[], shown: TextTrack | undefined): void {
  for (const track of tracks) track.mode = track === shown ? 'showing' : 'disabled'
}

function makeTrack(video: HTMLVideoElement, caption: PlayerExtras['captions'][number]) {
  const element = document.createElement('track')
  const { language_code: srclang, label, url } = caption
  Object.assign(element, { kind: 'captions', srclang, label })
  video.append(element)
  const { track } = element
  // Chromium shows a track of the browser's language by itself, unless its mode was ever changed.
  track.mode = 'hidden'
  return { element, track, url }
}

/** The captions button and its key bring back the language that was shown last. */
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

/** Whether captions are on to begin with. */
function beginsShown({ data, memory, options }: CaptionContext): boolean {
  const asked = options.captions ?? memory.read(REMEMBERED)
  return asked === null ? data.subtitles.enabled_by_default : asked !== OFF
}

/** The one that suits the viewer best, whether captions are on or off. */
function preferredTrack(
  { data, memory, options }: CaptionContext,
  tracks: TextTrack[],
): TextTrack | undefined {
  const wishes = [
    ...[options.captions, memory.read(REMEMBERED), data.subtitles.default_language],
    ...navigator.languages,
  ]
  for (const wish of wishes) {
    const found = wish === null ? undefined : findTrack(tracks, wish)
    if (found) return found
  }
  return tracks[0]
}

function findTrack(tracks: TextTrack[], wish: string): TextTrack | undefined {
  const primary = (tag: string): string => tag.toLowerCase().split('-')[0] ?? ''
  const exact = tracks.find(({ language }) => language.toLowerCase() === wish.toLowerCase())
  return exact ?? tracks.find(({ language }) => primary(language) === primary(wish))
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
