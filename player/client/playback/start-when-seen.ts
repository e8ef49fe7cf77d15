/**
 * Resolves when the frame comes into view, or when somebody presses play before that: a film far
 * down a page costs its viewers nothing.
 */
export function whenSeen(container: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) done()
    })
    const done = (): void => {
      observer.disconnect()
      container.removeEventListener('mediaplayrequest', done)
      resolve()
    }
    container.addEventListener('mediaplayrequest', done)
    observer.observe(container)
  })
}
