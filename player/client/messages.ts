import type { EmbeddingMistake, MessageCode } from './message-code.ts'
import type { Words } from './words/words.ts'

/** Shows what went wrong, over the picture and to screen readers. */
export interface Messages {
  show(code: MessageCode): void
  hide(): void
}

/** The markup that mends a mistake; the same in every language. */
const SNIPPETS: Record<EmbeddingMistake, string> = {
  no_encrypted_media: 'allow="autoplay; fullscreen; encrypted-media; picture-in-picture"',
  sandboxed: '<iframe … sandbox="…">',
  insecure: 'https://',
}

/** What goes on by itself, or by another try in place; everything else needs the page anew. */
const RETRIED_IN_PLACE: readonly MessageCode[] = ['network', 'failed']

/** Over: neither another try nor a reload would help. */
const FINAL: readonly MessageCode[] = ['video_deleted', 'viewer_revoked', 'unsupported']

/** Fills the page's message box in the viewer's words; `onRetry` is called for another try in place. */
export function connectMessages(words: Words, onRetry: () => void): Messages {
  const box = document.querySelector<HTMLElement>('#message')
  const root = document.documentElement
  const hide = (): void => {
    if (box) box.hidden = true
    delete root.dataset.error
  }
  return {
    hide,
    show(code) {
      if (!box) return
      const text = element('p', words.messages[code])
      box.replaceChildren(text, ...ownersPart(words, code), ...button(words, code, hide, onRetry))
      box.hidden = false
      root.dataset.error = code
    },
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

function button(
  words: Words,
  code: MessageCode,
  hide: () => void,
  onRetry: () => void,
): HTMLElement[] {
  if (isMistake(code) || FINAL.includes(code)) return []
  const isInPlace = RETRIED_IN_PLACE.includes(code)
  const retry = element('button', isInPlace ? words.retry : words.reload)
  retry.setAttribute('type', 'button')
  retry.addEventListener('click', () => {
    if (!isInPlace) return location.reload()
    hide()
    onRetry()
  })
  return [retry]
}

const isMistake = (code: MessageCode): code is EmbeddingMistake => code in SNIPPETS

function element(name: string, text = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
