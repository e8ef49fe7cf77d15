import type { Request } from 'express'
import type { PlaybackFacts } from '../../../db/playback/playback.ts'
import { normaliseHost } from '../../../domain/host-name.ts'
import type { EmbedRequest } from '../../../domain/playback/embed-access.ts'
import { decodeAccountId, isVideoId } from '../../../domain/playback/embed-url.ts'
import { INTEGER_MAX } from '../../../domain/row-id.ts'
import type { SigningKeys } from '../../../security/hmac.ts'
import type { MasterKeys } from '../../../security/sealing/sealing.ts'
import { openSigningSecret } from '../../../security/sealing/secret-contexts.ts'
import { verifyMemberToken } from '../../../security/tokens/member-token.ts'
import { signReferrer, verifyReferrer } from '../../../security/tokens/referrer-ticket.ts'
import {
  readViewerToken,
  verifyViewerToken,
  type SentToken,
} from '../../../security/tokens/viewer-token.ts'

/** Route of the embed page and the Direct Play page: `/{video_id}/{base64_account_id}`. */
export const EMBED_ROUTE = '/:videoId/:account'

/** Reads the parameters of `EMBED_ROUTE`. Returns null if one is malformed. */
export function readEmbedPath(params: {
  videoId: string
  account: string
}): { videoId: string; accountId: number } | null {
  const { videoId, account } = params
  const accountId = decodeAccountId(account)
  if (!isVideoId(videoId) || accountId === null || accountId > INTEGER_MAX) return null
  return { videoId, accountId }
}

/** Parses the query string once. Express 5 parses it on every access. */
export const withQueryParsed = <T extends Request>(request: T): T =>
  Object.defineProperty(request, 'query', { value: request.query })

/** Reads the viewer token in the `vt` of an embed address. Returns null if there is none. */
export function readSentToken({ query: { vt } }: Request): SentToken | null {
  if (vt === undefined || vt === '') return null
  return readViewerToken(typeof vt === 'string' ? vt : '')
}

/** What the viewer token proves about the viewer. */
export interface Viewer {
  token: EmbedRequest['token']
  /** Verified; null if the token is not genuine or has expired. */
  viewerId: string | null
  /** True for a member of the account, with a token that only the dashboard can sign. */
  isMember: boolean
  /** The token's text; null unless it is valid. */
  vt: string | null
}

const NO_VIEWER = { viewerId: null, isMember: false, vt: null }

/** Verifies a viewer token: with the signing secret of the account, or as that of a member. */
export function verifyViewer(
  masterKeys: MasterKeys,
  { account, claimed }: PlaybackFacts,
  sent: SentToken | null,
): Viewer {
  if (!sent) return { token: 'missing', ...NO_VIEWER }
  const asSite = verifyViewerToken(sent, openSigningSecret(masterKeys, account), Date.now())
  const isSites = asSite.ok || asSite.reason !== 'forged'
  const verdict = isSites ? asSite : verifyMemberToken(masterKeys, account, sent)
  if (!verdict.ok) return { token: verdict.reason, ...NO_VIEWER }
  const { viewerId } = verdict.claims
  const isMember = !isSites
  return claimed.isRevoked
    ? { token: 'revoked', viewerId, isMember, vt: null }
    : { token: 'valid', viewerId, isMember, vt: sent.text }
}

const sentReferrer = (request: Request): string | null =>
  request.get('Referer') || request.get('Origin') || null

/** The site that frames a page. */
export interface FramingSite {
  /** Its address, or that of one of its pages; null if the request names none. */
  address: string | null
  /** True if a ticket names it, not the browser. Such a request never plays. */
  isFromTicket: boolean
}

/**
 * Returns the site that frames the page. When the player page loads the page about missing hardware protection, the
 * browser sends the page's own address as the referrer, and the signed ticket names the site. The ticket counts
 * for nothing else: not for another page, not without a referrer, and not for another site.
 */
export function framingSiteOf(request: Request, keys: SigningKeys, embedBase: string): FramingSite {
  const sent = sentReferrer(request)
  const { from } = request.query
  const bySent = { address: sent, isFromTicket: false }
  if (sent === null || typeof from !== 'string' || !isWithoutHardware(request)) return bySent
  // Behind a proxy, the request's host may differ from the one in the browser's address bar.
  const ownHosts = [normaliseHost(request.hostname ?? ''), normaliseHost(embedBase)]
  if (!ownHosts.includes(normaliseHost(sent))) return bySent
  const address = verifyReferrer(from, String(request.params.videoId), keys)
  return address === null ? bySent : { address, isFromTicket: true }
}

/** Parameter with which the player page reports, in App-Only mode, that its browser has no hardware protection. */
const HARDWARE_PARAMETER = 'hardware'
const NO_HARDWARE = 'none'

/** True if the player page has sent this request because its browser has no hardware protection. */
export const isWithoutHardware = ({ query }: Request): boolean =>
  query[HARDWARE_PARAMETER] === NO_HARDWARE

/** Returns the address that the player page loads instead of itself if its browser has no hardware protection. */
export function noHardwareUrl(
  keys: SigningKeys,
  videoId: string,
  request: Request,
  { address }: FramingSite,
): string {
  const query = new URLSearchParams(request.originalUrl.split('?')[1])
  query.set('from', signReferrer(address ?? '', videoId, keys))
  query.set(HARDWARE_PARAMETER, NO_HARDWARE)
  return `${request.path}?${query.toString()}`
}
