interface FullScreenParts {
  container: HTMLElement
  video: HTMLVideoElement
  hasWatermark: boolean
  /** Asks the embedding page to let the player fill its window. Resolves to false if it cannot. */
  fillWindow: (isOn: boolean) => Promise<boolean>
  /** Tells the viewer that there is no full screen. */
  refuse: () => void
}

/**
 * Replaces full screen where the container has none: on iPhones, where only the video element supports it, which would
 * hide the watermark and the controls, and where the embedding page does not permit it. The container then fills the
 * window, which needs embed.js in the embedding page. Without it, the video's own full screen is used if there is no
 * watermark. Hides the button where nothing of that is possible; the key and the double click then say so.
 */
export function connectFullScreen(parts: FullScreenParts): void {
  const { webkitFullscreenEnabled }: Document & { webkitFullscreenEnabled?: boolean } = document
  if (document.fullscreenEnabled || webkitFullscreenEnabled === true) {
    document.addEventListener('fullscreenerror', parts.refuse)
    return
  }
  const { container, fillWindow } = parts
  const button = container.querySelector<HTMLElement>('media-fullscreen-button')
  if (button && window.parent !== window && !ownFullScreen(parts)) {
    button.hidden = true
    // Which asks for nothing: the player does not fill the window.
    void fillWindow(false).then((canFill) => (button.hidden = !canFill))
  }
  const replace = (isOn: boolean) => (event: Event) => {
    event.stopImmediatePropagation()
    void fillWindowOrScreen(parts, isOn)
  }
  container.addEventListener('mediaenterfullscreenrequest', replace(true), { capture: true })
  container.addEventListener('mediaexitfullscreenrequest', replace(false), { capture: true })
}

async function fillWindowOrScreen(parts: FullScreenParts, isOn: boolean): Promise<void> {
  const { container, fillWindow, refuse } = parts
  const isFramed = window.parent !== window
  if ((await fillWindow(isOn)) || !isFramed || !isOn) {
    document.documentElement.classList.toggle('full-window', isOn)
    for (const element of [container, container.querySelector('media-fullscreen-button')])
      element?.toggleAttribute('mediaisfullscreen', isOn)
    return
  }
  const enter = ownFullScreen(parts)
  if (enter) enter()
  else refuse()
}

/** Returns what opens the full screen of an iPhone's video; null elsewhere, and with a watermark. */
function ownFullScreen({ video, hasWatermark }: FullScreenParts): (() => void) | null {
  const iPhoneVideo: HTMLVideoElement & { webkitEnterFullscreen?: () => void } = video
  // Other browsers know the method, too, and that full screen is not permitted.
  const hasNoApi: boolean = document.fullscreenEnabled === undefined
  const isPossible = hasNoApi && !hasWatermark && 'webkitEnterFullscreen' in video
  return isPossible ? () => iPhoneVideo.webkitEnterFullscreen?.() : null
}
