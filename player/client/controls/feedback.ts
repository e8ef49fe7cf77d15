import { IFRAME_ALLOW } from '../../../domain/embed-url.ts'
import type { DrmWords } from '../drm/words/drm-words.ts'
import { element } from '../element.ts'
import type { ShakaPlayer } from '../playback/shaka.ts'
import type { EmbeddingMistake, MessageCode } from '../problems.ts'
import type { Words } from '../words/words.ts'

const SHOWN_MS = 900

/** Feedback for the viewer. */
export interface Announcer {
  /** Announces a text to screen readers. */
  say(text: string): void
  /** Announces a text and shows it briefly over the picture. */
  show(text: string): void
}

/** Creates an announcer that uses the page's live region and bubble. */
export function connectAnnouncer(): Announcer {
  const live = element('live')
  const bubble = element('bubble')
  let timer: ReturnType<typeof setTimeout> | undefined
  const say = (text: string): void => {
    if (live) live.textContent = text
  }
  return {
    say,
    show(text) {
      say(text)
      if (!bubble) return
      bubble.textContent = text
      bubble.hidden = false
      clearTimeout(timer)
      timer = setTimeout(() => (bubble.hidden = true), SHOWN_MS)
    },
  }
}

/** Markup that fixes a mistake; the same in every language. */
const SNIPPETS: Record<EmbeddingMistake, string> = {
  no_encrypted_media: `allow="${IFRAME_ALLOW}"`,
  sandboxed: '<iframe … sandbox="…">',
  insecure: 'https://',
}

/** Problems that a retry can solve. All others need a reload of the page. */
const RETRIED_IN_PLACE: readonly MessageCode[] = ['network']

/** Problems that neither a retry nor a reload can solve. */
const FINAL: readonly MessageCode[] = [
  'video_deleted',
  'viewer_revoked',
  'unsupported',
  'drm_device_revoked',
]

/** Problems that end by themselves: there is nothing to press. */
const WAITED_OUT: readonly MessageCode[] = ['drm_unavailable']

/**
 * Returns a function that shows a problem over the picture, with a retry or reload button where that
 * can help; null hides the message. The element is an ARIA alert, so screen readers announce it.
 */
export function connectMessages(
  words: Words,
  drmWords: DrmWords | null,
  onRetry: () => void,
): (code: MessageCode | null) => void {
  const box = element('message')
  const messages: Partial<Record<MessageCode, string>> = {
    ...words.messages,
    ...drmWords?.messages,
  }
  return (code) => {
    if (!box) return
    box.hidden = code === null
    if (code === null) return
    const text = create('p', messages[code] ?? words.messages.failed)
    box.replaceChildren(text, ...ownerDetails(words, code), ...retryButton(words, code, onRetry))
  }
}

function ownerDetails(words: Words, code: MessageCode): HTMLElement[] {
  if (!isMistake(code)) return []
  const details = create('details')
  details.append(create('summary', words.forOwner), create('p', words.fixes[code]))
  const snippet = create('code', SNIPPETS[code])
  snippet.dir = 'ltr'
  details.append(snippet)
  return [details]
}

function retryButton(words: Words, code: MessageCode, onRetry: () => void): HTMLElement[] {
  if (isMistake(code) || FINAL.includes(code) || WAITED_OUT.includes(code)) return []
  const isInPlace = RETRIED_IN_PLACE.includes(code)
  const retry = create('button', isInPlace ? words.retry : words.reload)
  retry.setAttribute('type', 'button')
  retry.addEventListener('click', () => (isInPlace ? onRetry() : location.reload()))
  return [retry]
}

const isMistake = (code: MessageCode): code is EmbeddingMistake => code in SNIPPETS

function create(name: string, text = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** Shorter waits are not shown. */
const SPINNER_AFTER_MS = 500
const TEXT_AFTER_MS = 5_000

/**
 * Shows a spinner while the video buffers, and a text if that takes long. Media Chrome's own indicator
 * follows `readyState`, which does not change while Shaka Player buffers: it sets the rate to 0.
 */
export function showBuffering(
  player: ShakaPlayer,
  video: HTMLVideoElement,
  { words, announcer }: { words: Words; announcer: Announcer },
): void {
  const { dataset } = document.documentElement
  const place = element('waiting')
  let isWaiting = false
  let timers: ReturnType<typeof setTimeout>[] = []
  const say = (): void => {
    if (place) place.textContent = words.announce.waiting
    announcer.say(words.announce.waiting)
  }
  const stop = (): void => {
    delete dataset.buffering
    if (place?.textContent !== '') announcer.say('')
    place?.replaceChildren()
  }
  const update = (): void => {
    const isBuffering = player.isBuffering() && !video.paused
    if (isBuffering === isWaiting) return
    isWaiting = isBuffering
    for (const timer of timers) clearTimeout(timer)
    timers = []
    if (!isBuffering) return stop()
    timers = [
      setTimeout(() => (dataset.buffering = ''), SPINNER_AFTER_MS),
      setTimeout(say, TEXT_AFTER_MS),
    ]
  }
  player.addEventListener('buffering', update)
  video.addEventListener('play', update)
  video.addEventListener('pause', update)
  update()
}
