import { IFRAME_ALLOW } from '../../../domain/embed-url.ts'
import type { EmbeddingMistake, MessageCode } from '../message-code.ts'
import type { Words } from '../words/words.ts'

/** The markup that mends a mistake; the same in every language. */
const SNIPPETS: Record<EmbeddingMistake, string> = {
  no_encrypted_media: `allow="${IFRAME_ALLOW}"`,
  sandboxed: '<iframe … sandbox="…">',
  insecure: 'https://',
}

/** What goes on by itself, or by another try in place; everything else needs the page anew. */
const RETRIED_IN_PLACE: readonly MessageCode[] = ['network']

/** Over: neither another try nor a reload would help. */
const FINAL: readonly MessageCode[] = ['video_deleted', 'viewer_revoked', 'unsupported']

/**
 * Says what is wrong over the picture, in the viewer's words and to screen readers; `onRetry` is
 * called for another try in place. Returns what is told of a problem, or of its end.
 */
export function connectMessages(
  words: Words,
  onRetry: () => void,
): (code: MessageCode | null) => void {
  const box = document.querySelector<HTMLElement>('#message')
  return (code) => {
    if (!box) return
    box.hidden = code === null
    if (code === null) return
    const text = element('p', words.messages[code])
    box.replaceChildren(text, ...ownersPart(words, code), ...button(words, code, onRetry))
  }
}

function ownersPart(words: Words, code: MessageCode): HTMLElement[] {
  if (!isMistake(code)) return []
  const details = element('details')
  details.append(element('summary', words.forOwner), element('p', words.fixes[code]))
  const snippet = element('code', SNIPPETS[code])
  snippet.dir = 'ltr'
  details.append(snippet)
  return [details]
}

function button(words: Words, code: MessageCode, onRetry: () => void): HTMLElement[] {
  if (isMistake(code) || FINAL.includes(code)) return []
  const isInPlace = RETRIED_IN_PLACE.includes(code)
  const retry = element('button', isInPlace ? words.retry : words.reload)
  retry.setAttribute('type', 'button')
  retry.addEventListener('click', () => (isInPlace ? onRetry() : location.reload()))
  return [retry]
}

const isMistake = (code: MessageCode): code is EmbeddingMistake => code in SNIPPETS

function element(name: string, text = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
