import type { PlayerExtras } from '../../player-data.ts'
import type { Menus } from '../controls/menus-on-use.ts'
import { fillIn } from '../locales/words.ts'
import type { CaptionContext } from './caption-context.ts'
import { keepCaptionStyle } from './caption-style.ts'
import { findTrack, preferredTrack } from './preferred-track.ts'
import { showCaptions, type ShownCaptions } from './shown-captions.ts'

const REMEMBERED = 'captions'
const REMEMBERED_SECOND = 'captions-second'
const OFF = 'off'

/**
 * Adds the caption tracks, and fetches the text of each when it is first needed. The track to start with
 * follows the option in the address, then the viewer's last choice, then the account's setting.
 */
export function addCaptions(
  context: CaptionContext,
  captions: PlayerExtras['captions'],
  menus: Promise<Menus>,
): void {
  const { video, memory, data, options } = context
  const entries = captions.map((caption) => ({ ...makeTrack(video, caption), isFetched: false }))
  if (entries.length === 0) return
  const tracks = entries.map(({ track }) => track)
  const style = keepCaptionStyle(memory, tracks)
  for (const { element: place, track } of entries)
    place.addEventListener('load', () => style.place(track))
  let refresh = (): void => undefined
  const shown = showCaptions(video, tracks, () => {
    for (const entry of entries) if (entry.track.mode !== 'disabled') fetchText(context, entry)
    refresh()
  })
  const languages = [
    options.captions,
    memory.read(REMEMBERED),
    data.subtitles.default_language,
    ...navigator.languages,
  ]
  const preferred = preferredTrack(tracks, languages)
  shown.show(startsShown(context) ? preferred : undefined)
  const second = memory.read(REMEMBERED_SECOND)
  if (second !== null) shown.showSecond(findTrack(tracks, second))
  toggleOnRequest(video, shown, preferred)
  let refreshMenu = (): void => undefined
  const choices = tracks.map(({ label }, index) => ({ value: String(index), text: label }))
  void menus.then(({ connectCaptionsMenu }) => {
    refreshMenu = connectCaptionsMenu(context, { tracks, choices, shown, style, preferred })
  })
  const remember = rememberChoice(context, shown)
  refresh = () => {
    refreshMenu()
    remember()
  }
}

interface Entry {
  element: HTMLTrackElement
  url: string
  isFetched: boolean
}

function fetchText({ session, video }: CaptionContext, entry: Entry): void {
  if (entry.isFetched) return
  entry.isFetched = true
  void session
    .fetch(entry.url)
    .then((response) => response.text())
    .then((text) => withPlaces(text, video))
    .then(
      (text) => (entry.element.src = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }))),
    )
    .catch(() => (entry.isFetched = false))
}

/** Returns a text whose cues this browser shows at their places. */
async function withPlaces(text: string, video: HTMLVideoElement): Promise<string> {
  const isShown = 'VTTRegion' in window || !/^REGION|vertical:/m.test(text)
  if (isShown) return text
  const { placeCues } = await import('./place-cues.ts')
  return placeCues(text, video.clientHeight / video.clientWidth)
}

function makeTrack(video: HTMLVideoElement, caption: PlayerExtras['captions'][number]) {
  const made = document.createElement('track')
  const { language_code: srclang, label, url } = caption
  Object.assign(made, { kind: 'captions', srclang, label })
  video.append(made)
  const { track } = made
  // Otherwise Chromium shows a track in the browser's language by itself.
  track.mode = 'hidden'
  return { element: made, track, url }
}

/** Makes the captions button and its key restore the track that was shown last. */
function toggleOnRequest(
  video: HTMLVideoElement,
  shown: ShownCaptions,
  preferred: TextTrack | undefined,
): void {
  let last = preferred
  const toggle = (event: Event): void => {
    event.stopImmediatePropagation()
    const now = shown.first()
    last = now ?? last
    shown.show(now ? undefined : last)
  }
  const controller = video.closest('media-controller')
  controller?.addEventListener('mediatogglesubtitlesrequest', toggle, { capture: true })
}

/** True if captions are shown from the start. */
function startsShown({ data, memory, options }: CaptionContext): boolean {
  const requested = options.captions ?? memory.read(REMEMBERED)
  return requested === null ? data.subtitles.enabled_by_default : requested !== OFF
}

/** Returns what keeps and announces the captions that are shown, if they have changed. */
function rememberChoice(
  { memory, words, announcer }: CaptionContext,
  shown: ShownCaptions,
): () => void {
  let last = shown.first()
  let lastSecond = shown.second()
  return () => {
    const now = shown.first()
    if (shown.second() !== lastSecond) {
      lastSecond = shown.second()
      memory.write(REMEMBERED_SECOND, lastSecond?.language ?? null)
    }
    if (now === last) return
    last = now
    memory.write(REMEMBERED, now?.language ?? OFF)
    announcer.say(
      now ? fillIn(words.announce.captionsOn, { label: now.label }) : words.announce.captionsOff,
    )
  }
}
