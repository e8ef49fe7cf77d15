import { IFRAME_ALLOW } from '../../../domain/playback/embed-url.ts'
import type { DrmWords } from '../drm/locales/drm-words.ts'
import { element } from '../element.ts'
import type { Words } from '../locales/words.ts'
import type { ShakaPlayer } from '../playback/shaka.ts'
import type { EmbeddingMistake, MessageCode, ProblemFacts } from '../problems.ts'
import { copyDetails } from './copy-text.ts'
import type { FailureReports } from './failure-reports.ts'

const SHOWN_MS = 900

/** What `flash` shows. */
type FlashIcon = 'play' | 'pause' | 'back' | 'forward'

/** Feedback for the viewer. */
export interface Announcer {
  /** Announces a text to screen readers. */
  say(text: string): void
  /** Announces a text and shows it briefly over the picture. */
  show(text: string): void
  /** Shows an icon over the picture for a moment. */
  flash(icon: FlashIcon): void
}

/** Creates an announcer that uses the page's live region and bubble. */
export function connectAnnouncer(): Announcer {
  const live = element('live')
  const bubble = element('bubble')
  let timer: ReturnType<typeof setTimeout> | undefined
  const say = (text: string): void => {
    if (live) live.textContent = text
  }
  const sign = element('flash')
  return {
    say,
    flash(icon) {
      if (!sign) return
      sign.dataset.icon = icon
      sign.classList.remove('now')
      // Reading the layout ends the animation that runs.
      sign.getBoundingClientRect()
      sign.classList.add('now')
    },
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
const RETRIED_IN_PLACE: readonly MessageCode[] = ['network', 'watermark_lost']

/** Problems that neither a retry nor a reload can solve. */
const FINAL: readonly MessageCode[] = [
  'video_deleted',
  'video_failed',
  'viewer_revoked',
  'unsupported',
  'drm_device_revoked',
]

/** Problems that end by themselves: there is nothing to press. */
const WAITED_OUT: readonly MessageCode[] = ['drm_unavailable']

interface MessageParts {
  words: Words
  drmWords: DrmWords | null
  reports: FailureReports
}

/**
 * Returns a function that shows a problem over the picture, with the code of its report, and a retry or reload button
 * where that can help; null hides the message. The element is an ARIA alert, so screen readers announce it.
 */
export function connectMessages(
  { words, drmWords, reports }: MessageParts,
  onRetry: (code: MessageCode) => void,
): (code: MessageCode | null, facts: ProblemFacts) => void {
  const box = element('message')
  const messages: Partial<Record<MessageCode, string>> = {
    ...words.messages,
    ...drmWords?.messages,
  }
  return (code, facts) => {
    if (code === null) reports.solved()
    if (!box) return
    box.hidden = code === null
    if (code === null) return
    const reportCode = reports.codeOf(code, facts)
    const text = messages[code] ?? words.messages.failed
    const actions = create('div')
    actions.className = 'actions'
    actions.append(
      ...retryButton(words, code, () => onRetry(code)),
      copyButton(words, [`${code}: ${text}`, `${words.reportCode} ${reportCode}`]),
    )
    box.replaceChildren(
      warningIcon(),
      create('p', text),
      actions,
      ...ownerDetails(words, code),
      codeLine(words, code, reportCode),
    )
  }
}

const SVG = 'http://www.w3.org/2000/svg'

function warningIcon(): SVGElement {
  const icon = document.createElementNS(SVG, 'svg')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute(
    'd',
    'M12 8.5v5M12 17h.01M10.3 3.9 2.4 17.6A2 2 0 0 0 4.1 20.6h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
  )
  icon.append(path)
  return icon
}

/** The code to read out, from left to right in every language, and the name of the problem. */
function codeLine(words: Words, code: MessageCode, reportCode: string): HTMLElement {
  const line = create('p')
  line.className = 'code'
  const shown = create('bdi', reportCode)
  shown.dir = 'ltr'
  line.append(`${words.reportCode} `, shown, ' · ', create('bdi', code))
  return line
}

/** Copies what the support of the site needs: the problem, the page, the time and the browser. */
function copyButton(words: Words, problem: readonly string[]): HTMLElement {
  const button = create('button', words.copyDetails)
  button.setAttribute('type', 'button')
  button.className = 'quiet'
  button.addEventListener('click', () => {
    void copyDetails(problem).then(() => (button.textContent = words.copied))
  })
  return button
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
const SPINNER_AFTER_MS = 300
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
    // Waiting for the encoder is said by the module for videos that are being prepared.
    if ('preparing' in dataset) return void timers.push(setTimeout(say, TEXT_AFTER_MS))
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
