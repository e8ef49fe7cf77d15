interface FullScreenParts {
  container: HTMLElement
  video: HTMLVideoElement
  hasWatermark: boolean
  /** Asks the embedding page to let the player fill its window. Resolves to false if it cannot. */
  fillWindow: (isOn: boolean) => Promise<boolean>
}

/**
 * Replaces full screen on iPhones, where only the video element supports it: that would hide the
 * watermark and the controls. Instead the container fills the window, which needs embed.js in the
 * embedding page. Without it, the video's own full screen is used if there is no watermark.
 */
export function connectFullScreen(parts: FullScreenParts): void {
  const { webkitFullscreenEnabled }: Document & { webkitFullscreenEnabled?: boolean } = document
  if (document.fullscreenEnabled || webkitFullscreenEnabled === true) return
  const { container } = parts
  const replace = (isOn: boolean) => (event: Event) => {
    event.stopImmediatePropagation()
    void fillWindowOrScreen(parts, isOn)
  }
  container.addEventListener('mediaenterfullscreenrequest', replace(true), { capture: true })
  container.addEventListener('mediaexitfullscreenrequest', replace(false), { capture: true })
}

async function fillWindowOrScreen(
  { container, video, hasWatermark, fillWindow }: FullScreenParts,
  isOn: boolean,
): Promise<void> {
  const isFramed = window.parent !== window
  if ((await fillWindow(isOn)) || !isFramed || !isOn) {
    document.documentElement.classList.toggle('full-window', isOn)
    for (const element of [container, container.querySelector('media-fullscreen-button')])
      element?.toggleAttribute('mediaisfullscreen', isOn)
    return
  }
  const iPhoneVideo: HTMLVideoElement & { webkitEnterFullscreen?: () => void } = video
  if (!hasWatermark) iPhoneVideo.webkitEnterFullscreen?.()
}
