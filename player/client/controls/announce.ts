const SHOWN_MS = 900

/** Says something to screen readers, and shows it for a moment where it answers a key or a touch. */
export interface Announcer {
  say(text: string): void
  show(text: string): void
}

/** Connects the page's live region and its bubble. */
export function connectAnnouncer(): Announcer {
  const live = document.querySelector('#live')
  const bubble = document.querySelector<HTMLElement>('#bubble')
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
