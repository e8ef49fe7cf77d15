import { IFRAME_ALLOW } from '../../../domain/embed-url.ts'
import { element } from '../element.ts'
import type { EmbeddingMistake, MessageCode } from '../problems.ts'
import type { Words } from '../words/words.ts'

/** Markup that fixes a mistake; the same in every language. */
const SNIPPETS: Record<EmbeddingMistake, string> = {
  no_encrypted_media: `allow="${IFRAME_ALLOW}"`,
  sandboxed: '<iframe … sandbox="…">',
  insecure: 'https://',
}

/** Problems that a retry can solve. All others need a reload of the page. */
const RETRIED_IN_PLACE: readonly MessageCode[] = ['network']

/** Problems that neither a retry nor a reload can solve. */
const FINAL: readonly MessageCode[] = ['video_deleted', 'viewer_revoked', 'unsupported']

/**
 * Returns a function that shows a problem over the picture, with a retry or reload button where that
 * can help; null hides the message. The element is an ARIA alert, so screen readers announce it.
 */
export function connectMessages(
  words: Words,
  onRetry: () => void,
): (code: MessageCode | null) => void {
  const box = element('message')
  return (code) => {
    if (!box) return
    box.hidden = code === null
    if (code === null) return
    const text = create('p', words.messages[code])
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
  if (isMistake(code) || FINAL.includes(code)) return []
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
