/**
 * Full screen is of the container, never of the video element, so that what lies over the picture
 * stays there. Where the browser knows only the video's own (iPhones), the container fills the
 * window instead, with the help of the embedding page where it has our script.
 */
export function connectFullScreen(
  container: HTMLElement,
  fillWindow: (isOn: boolean) => Promise<boolean>,
): void {
  if (document.fullscreenEnabled || 'webkitFullscreenEnabled' in document) return
  const root = document.documentElement
  const set = (isOn: boolean) => (event: Event) => {
    event.stopImmediatePropagation()
    root.classList.toggle('full-window', isOn)
    container.toggleAttribute('mediaisfullscreen', isOn)
    container.querySelector('media-fullscreen-button')?.toggleAttribute('mediaisfullscreen', isOn)
    void fillWindow(isOn)
  }
  container.addEventListener('mediaenterfullscreenrequest', set(true), { capture: true })
  container.addEventListener('mediaexitfullscreenrequest', set(false), { capture: true })
}
