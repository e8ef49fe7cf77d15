interface Page {
  container: HTMLElement
  video: HTMLVideoElement
  hasWatermark: boolean
  /** Asks the page around the frame; false where it cannot. */
  fillWindow: (isOn: boolean) => Promise<boolean>
}

/**
 * Full screen is of the container, never of the video element, so that what lies over the picture
 * stays there. Where the browser knows only the video's own (iPhones), the container fills the
 * window instead, with the help of the embedding page where it has our script; without that help,
 * the video's own full screen serves where no watermark would be left behind.
 */
export function connectFullScreen(page: Page): void {
  const { webkitFullscreenEnabled } = document as { webkitFullscreenEnabled?: boolean }
  if (document.fullscreenEnabled || webkitFullscreenEnabled === true) return
  const { container } = page
  const take = (isOn: boolean) => (event: Event) => {
    event.stopImmediatePropagation()
    void fill(page, isOn)
  }
  container.addEventListener('mediaenterfullscreenrequest', take(true), { capture: true })
  container.addEventListener('mediaexitfullscreenrequest', take(false), { capture: true })
}

async function fill(
  { container, video, hasWatermark, fillWindow }: Page,
  isOn: boolean,
): Promise<void> {
  const isAlone = window.parent === window
  if ((await fillWindow(isOn)) || isAlone || !isOn) {
    document.documentElement.classList.toggle('full-window', isOn)
    for (const element of [container, container.querySelector('media-fullscreen-button')])
      element?.toggleAttribute('mediaisfullscreen', isOn)
    return
  }
  const { webkitEnterFullscreen } = video as { webkitEnterFullscreen?: () => void }
  if (!hasWatermark) webkitEnterFullscreen?.call(video)
}
