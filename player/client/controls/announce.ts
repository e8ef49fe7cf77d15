import { element } from '../element.ts'

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
