import { escapeHtml } from './html.ts'

/** The account id as the embed path carries it: decimal text, base64 with padding. */
export const encodeAccountId = (accountId: number): string => btoa(String(accountId))

/**
 * The account id of an embed path, or null where it is not the base64 of a positive decimal integer.
 * Padding may be lost on the way; digits need none of the characters in which base64 has variants.
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
  // The last character has bits that are not read: one id has one spelling.
  return withoutPadding(btoa(decoded)) === withoutPadding(text) ? Number(decoded) : null
}

const withoutPadding = (base64: string): string => base64.replace(/=+$/, '')

/** A video's player page (spec, "Player host"); usable from creation on. */
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

/** The link that opens the mobile player app (spec, "Player host"). */
export const deepLink = (videoId: string, accountId: number, vt: string): string =>
  `service://play/${videoId}/${encodeAccountId(accountId)}/${vt}`

/** What the iframe must allow (spec, "Player host"). */
export const IFRAME_ALLOW = 'autoplay; fullscreen; encrypted-media; picture-in-picture'
export const IFRAME_REFERRER_POLICY = 'strict-origin-when-cross-origin'

/** The attributes that protected video needs of its iframe, as markup. */
export const IFRAME_ATTRIBUTES = `allow="${IFRAME_ALLOW}" allowfullscreen referrerpolicy="${IFRAME_REFERRER_POLICY}"`

/**
 * The smallest iframe that plays protected video: these attributes are all needed. `title` is the
 * video's, which names the frame for screen readers (WCAG 2.2, 4.1.2); a blank one becomes `Video`.
 */
export const iframeHtml = (src: string, title: string): string =>
  `<iframe src="${escapeHtml(src)}" title="${escapeHtml(title.trim() || 'Video')}" ` +
  `${IFRAME_ATTRIBUTES} style="border:0;width:100%;aspect-ratio:16/9"></iframe>`

const VIDEO_ID = /^[0-9a-f]{20}$/

/** True for text in the shape of a video id: 20 characters of lowercase hex. */
export const isVideoId = (text: string): boolean => VIDEO_ID.test(text)
