import type { PlayerData, PlayerExtras } from '../player-data.ts'
import type { Announcer } from './announce.ts'
import { fillIn } from './fill-in.ts'
import type { Memory } from './memory.ts'
import type { EmbedOptions } from './options.ts'
import type { Session } from './session.ts'
import type { Words } from './words/words.ts'

const REMEMBERED = 'captions'
const OFF = 'off'

export interface CaptionContext {
  video: HTMLVideoElement
  data: PlayerData
  session: Session
  memory: Memory
  options: EmbedOptions
  words: Words
  announcer: Announcer
}

/**
 * Adds the caption tracks; the text of a track is fetched when it is first shown. What the viewer
 * chose last time is shown, else what the address or the account asks for.
 */
export function addCaptions(context: CaptionContext, captions: PlayerExtras['captions']): void {
  const { video, session } = context
  const elements = captions.map(({ language_code: language, label, url }) => {
    const element = document.createElement('track')
    Object.assign(element, { kind: 'captions', srclang: language, label })
    video.append(element)
    return { element, url, isFetched: false }
  })
  const fetchShown = (): void => {
    for (const entry of elements) {
      if (entry.isFetched || entry.element.track.mode !== 'showing') continue
      entry.isFetched = true
      void session
        .fetch(entry.url)
        .then((response) => response.blob())
        .then((blob) => (entry.element.src = URL.createObjectURL(blob)))
        .catch(() => (entry.isFetched = false))
    }
  }
  video.textTracks.addEventListener('change', fetchShown)
  const codes = captions.map(({ language_code }) => language_code)
  const first = firstLanguage(context, codes)
  for (const { element } of elements)
    element.track.mode = element.srclang === first ? 'showing' : 'disabled'
  fetchShown()
  const tracks = elements.map(({ element }) => element)
  toggleOnRequest(context, tracks)
  rememberChoice(context, tracks)
}

/** The captions button and its key bring back the language that was shown last. */
function toggleOnRequest(context: CaptionContext, tracks: HTMLTrackElement[]): void {
  const wanted = preferredLanguage(
    context,
    tracks.map(({ srclang }) => srclang),
  )
  let last = tracks.find(({ srclang }) => srclang === wanted) ?? tracks[0]
  const toggle = (event: Event): void => {
    event.stopImmediatePropagation()
    const shown = showing(tracks)
    last = shown ?? last
    for (const element of tracks)
      element.track.mode = !shown && element === last ? 'showing' : 'disabled'
  }
  const controller = context.video.closest('media-controller')
  controller?.addEventListener('mediatogglesubtitlesrequest', toggle, { capture: true })
}

/** The language to begin with; null for none. */
function firstLanguage(context: CaptionContext, codes: string[]): string | null {
  const { data, memory, options } = context
  const asked = options.captions ?? memory.read(REMEMBERED)
  if (asked === OFF || (asked === null && !data.subtitles.enabled_by_default)) return null
  return preferredLanguage(context, codes)
}

/** The one that suits the viewer best, whether captions are on or off. */
function preferredLanguage(
  { data, memory, options }: CaptionContext,
  codes: string[],
): string | null {
  const wishes = [
    ...[options.captions, memory.read(REMEMBERED), data.subtitles.default_language],
    ...navigator.languages,
  ]
  for (const wish of wishes) {
    const found = wish === null ? null : findLanguage(codes, wish)
    if (found !== null) return found
  }
  return codes[0] ?? null
}

function findLanguage(codes: string[], wish: string): string | null {
  const primary = (tag: string): string => tag.toLowerCase().split('-')[0] ?? ''
  const exact = codes.find((code) => code.toLowerCase() === wish.toLowerCase())
  return exact ?? codes.find((code) => primary(code) === primary(wish)) ?? null
}

function rememberChoice(
  { video, memory, words, announcer }: CaptionContext,
  tracks: HTMLTrackElement[],
): void {
  let last = showing(tracks)
  video.textTracks.addEventListener('change', () => {
    const now = showing(tracks)
    if (now === last) return
    last = now
    memory.write(REMEMBERED, now?.srclang ?? OFF)
    announcer.say(
      now ? fillIn(words.announce.captionsOn, { label: now.label }) : words.announce.captionsOff,
    )
  })
}

const showing = (tracks: HTMLTrackElement[]): HTMLTrackElement | undefined =>
  tracks.find(({ track }) => track.mode === 'showing')
