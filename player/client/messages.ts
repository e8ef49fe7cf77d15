/** Sentences for viewers; what the owner of the site must change stands behind them. */
const TEXTS = {
  no_encrypted_media:
    'This video is protected, and this page does not let the player decrypt it. (Site owner: the iframe needs allow="encrypted-media; autoplay; fullscreen; picture-in-picture".)',
  sandboxed:
    'This video is protected and cannot play inside a sandboxed frame. (Site owner: remove the sandbox attribute from the iframe.)',
  unsupported: 'This browser cannot play protected video. Please use a current browser.',
  licence_refused: 'This video may not be played here any more. Reload the page to try again.',
  session_ended: 'Your viewing session has ended. Reload the page to go on.',
  network: 'The connection was lost. Check it and press play to try again.',
  watermark: 'Playback has stopped because the picture was tampered with.',
  failed: 'The video could not be played. Reload the page to try again.',
} as const

export type MessageCode = keyof typeof TEXTS

/** Shows a message over the picture, also to screen readers. */
export function showMessage(code: MessageCode): void {
  const element = document.querySelector<HTMLElement>('#message')
  if (!element) return
  element.textContent = TEXTS[code]
  element.hidden = false
  document.documentElement.dataset.state = 'error'
  document.documentElement.dataset.error = code
}

/** Takes the message away. */
export function hideMessage(): void {
  const element = document.querySelector<HTMLElement>('#message')
  if (element) element.hidden = true
  delete document.documentElement.dataset.error
}

const NETWORK_CATEGORY = 1
const DRM_CATEGORY = 6
const LICENCE_REQUEST_FAILED = 6007
const KEY_SYSTEM_UNAVAILABLE = 6001

/** What an error of Shaka Player means to a viewer. */
export function messageFor(error: unknown): MessageCode {
  const { code, category } = (error ?? {}) as { code?: number; category?: number }
  if (code === LICENCE_REQUEST_FAILED) return 'licence_refused'
  if (category === DRM_CATEGORY) {
    if (window.origin === 'null') return 'sandboxed'
    return code === KEY_SYSTEM_UNAVAILABLE && !mayUseEncryptedMedia()
      ? 'no_encrypted_media'
      : 'unsupported'
  }
  return category === NETWORK_CATEGORY ? 'network' : 'failed'
}

function mayUseEncryptedMedia(): boolean {
  const policy = (document as { featurePolicy?: { allowsFeature(name: string): boolean } })
    .featurePolicy
  return policy?.allowsFeature('encrypted-media') ?? true
}
