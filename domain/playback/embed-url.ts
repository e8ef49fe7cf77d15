import { escapeHtml } from '../html.ts'

/** Encodes an account id for the embed path: its decimal text in base64 with padding. */
export const encodeAccountId = (accountId: number): string => btoa(String(accountId))

/**
 * Decodes the account id of an embed path. Returns null if it is not the base64 of a positive decimal
 * integer. Accepts lost padding. The base64 of digits is the same in every variant of base64.
 */
export function decodeAccountId(text: string): number | null {
  if (!/^[A-Za-z0-9]{1,24}={0,2}$/.test(text)) return null
  let decoded: string
  try {
    decoded = atob(text)
  } catch {
    return null
  }
  if (!/^[1-9][0-9]{0,14}$/.test(decoded)) return null
  // The last character has unused bits. Accepts only the canonical spelling of an id.
  return withoutPadding(btoa(decoded)) === withoutPadding(text) ? Number(decoded) : null
}

const withoutPadding = (base64: string): string => base64.replace(/=+$/, '')

/** Returns the address of a video's embed page (contract, "Player host"), usable as soon as it is created. */
export function embedUrl(
  embedBase: string,
  videoId: string,
  accountId: number,
  vt?: string,
): string {
  const path = `${embedBase}/${videoId}/${encodeURIComponent(encodeAccountId(accountId))}`
  return vt === undefined ? path : `${path}?vt=${encodeURIComponent(vt)}`
}

/** Path of the posters on the player host; `{video_id}.jpg` follows. */
export const POSTERS_PATH = '/posters'

/**
 * Returns the path of a video's poster on the player host. Caches keep a poster for minutes, so a chosen one has another
 * address: it ends with `version`, which counts the choices.
 */
export const posterPath = (videoId: string, version: number): string =>
  `${POSTERS_PATH}/${videoId}.jpg${version > 0 ? `?v=${version}` : ''}`

/** Path of the pictures to choose a poster from, on the player host; a ticket follows. */
export const FRAMES_PATH = '/frames'

/** Returns the path of a picture to choose a poster from. */
export const framePath = (ticket: string): string => `${FRAMES_PATH}/${ticket}`

/** Returns the link that opens the mobile player app (contract, "Player host"). */
export const deepLink = (videoId: string, accountId: number, vt: string): string =>
  `service://play/${videoId}/${encodeAccountId(accountId)}/${vt}`

/**
 * Reads the link of the mobile app, which may have been percent-encoded on its way. `vt` is null if the link
 * has none. Returns null for any other text.
 */
export function readDeepLink(
  text: string,
): { videoId: string; accountId: number; vt: string | null } | null {
  const [, videoId = '', account = '', vt = ''] =
    /^service:\/\/play\/([0-9a-f]+)\/([\w=%]+)\/([\w.-]*)$/i.exec(text) ?? []
  const accountId = decodeAccountId(account.replaceAll(/%3d/gi, '='))
  if (!isVideoId(videoId) || accountId === null) return null
  return { videoId, accountId, vt: vt === '' ? null : vt }
}

/** Permissions of the iframe (contract, "Player host"). */
export const IFRAME_ALLOW = 'autoplay; fullscreen; encrypted-media; picture-in-picture'
export const IFRAME_REFERRER_POLICY = 'strict-origin-when-cross-origin'

/** The iframe attributes that protected video needs, as markup. */
export const IFRAME_ATTRIBUTES = `allow="${IFRAME_ALLOW}" allowfullscreen referrerpolicy="${IFRAME_REFERRER_POLICY}"`

/**
 * Returns the smallest iframe that plays protected video. `title` is the video's; it names the frame for
 * screen readers (WCAG 2.2, 4.1.2), and a blank one becomes `Video`.
 */
export const iframeHtml = (src: string, title: string): string =>
  `<iframe src="${escapeHtml(src)}" title="${escapeHtml(title.trim() || 'Video')}" ` +
  `${IFRAME_ATTRIBUTES} style="border:0;width:100%;aspect-ratio:16/9"></iframe>`

const VIDEO_ID = /^[0-9a-f]{20}$/

/** True for a text in the form of a video id: 20 characters of lowercase hex. */
export const isVideoId = (text: string): boolean => VIDEO_ID.test(text)
