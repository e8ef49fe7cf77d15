import { Router } from 'express'
import type { Request, Response } from 'express'
import { countRenditions, findPlayback, insertSession } from '../../db/playback.ts'
import type { PlaybackFacts } from '../../db/playback.ts'
import { classifyBrowser } from '../../domain/browser-class.ts'
import { decideEmbed, frameAncestors } from '../../domain/embed-access.ts'
import type { EmbedDecision, EmbedRequest } from '../../domain/embed-access.ts'
import { decodeAccountId, deepLink, isVideoId } from '../../domain/embed-url.ts'
import { normaliseHost } from '../../domain/host-name.ts'
import { ROW_ID_MAX } from '../../domain/row-id.ts'
import { recordSecurityEvent } from '../../outbox/append/record-security-event.ts'
import { openSigningSecret } from '../../security/secret-contexts.ts'
import { signReferrer, verifyReferrer } from '../../security/referrer-ticket.ts'
import { signSession } from '../../security/session-token.ts'
import { verifyViewerToken } from '../../security/viewer-token.ts'
import type { Assets } from './assets.ts'
import type { PlayerDeps } from './deps.ts'
import { playerPage } from './pages/player-page.ts'
import { MALFORMED, NOT_FOUND, pageTextOf } from './pages/refusals.ts'
import { sendMessage, setPageHeaders } from './send-page.ts'
import { SESSION_HEADER, sessionKey } from './session.ts'

interface Viewer {
  token: EmbedRequest['token']
  /** Server-verified; null unless the token is valid. */
  viewerId: string | null
  vt: string | null
}

/** GET /{video_id}/{base64_account_id}: the page of the iframe, or the page that says why not. */
export function embedRouter(deps: PlayerDeps, assets: Assets): Router {
  const router = Router()
  const key = sessionKey(deps.masterKeys)

  router.get('/:videoId/:account', async (request, response) => {
    const { videoId, account } = request.params
    const accountId = decodeAccountId(account)
    if (!isVideoId(videoId) || accountId === null || accountId > ROW_ID_MAX)
      return sendMessage(response, assets, MALFORMED)
    const facts = await findPlayback(deps.db.em.fork(), videoId, accountId)
    if (!facts) return sendMessage(response, assets, NOT_FOUND)
    const viewer = readViewer(deps, facts, request.query.vt)
    const referrer = referrerOf(request, key)
    const decision = decideEmbed(embedRequest(deps, facts, viewer, request, referrer))
    response.locals.frameAncestors = frameAncestors(
      facts.account.settings,
      deps.serviceDomains,
      deps.directPlayHost,
    )
    if (decision.kind === 'play')
      return sendPlayer(deps, assets, key, { facts, viewer, referrer }, response)
    await recordRefusal(deps, facts, decision)
    const app = deepLink(videoId, accountId, viewer.vt ?? '')
    const refresh = refreshUrl(key, videoId, request, referrer)
    sendMessage(response, assets, pageTextOf(decision, { app, refresh }))
  })

  router.use((_request, response) => sendMessage(response, assets, MALFORMED))
  return router
}

function readViewer(deps: PlayerDeps, { account }: PlaybackFacts, vt: unknown): Viewer {
  if (vt === undefined || vt === '') return { token: 'missing', viewerId: null, vt: null }
  if (typeof vt !== 'string') return { token: 'malformed', viewerId: null, vt: null }
  const secret = openSigningSecret(deps.masterKeys, account)
  const verdict = verifyViewerToken(vt, secret, Date.now())
  return verdict.ok
    ? { token: 'valid', viewerId: verdict.claims.viewerId, vt }
    : { token: verdict.reason, viewerId: null, vt: null }
}

const sentReferrer = (request: Request): string | null =>
  request.get('Referer') || request.get('Origin') || null

/** The site that frames us: what the browser says, or what it said when the page began to wait. */
function referrerOf(request: Request, key: Buffer): string | null {
  const { from } = request.query
  const videoId = String(request.params.videoId)
  const waited = typeof from === 'string' ? verifyReferrer(from, videoId, key, Date.now()) : null
  return waited ?? sentReferrer(request)
}

/**
 * Where a page that waits goes next. A page that loads itself again sends its own address as
 * Referer, so the address carries the site that it was first framed by, signed.
 */
function refreshUrl(
  key: Buffer,
  videoId: string,
  request: Request,
  referrer: string | null,
): string {
  const query = new URLSearchParams()
  if (typeof request.query.vt === 'string') query.set('vt', request.query.vt)
  query.set('from', signReferrer(referrer ?? '', videoId, key, Date.now()))
  return `${request.path}?${query.toString()}`
}

function embedRequest(
  deps: PlayerDeps,
  { video, account }: PlaybackFacts,
  viewer: Viewer,
  request: Request,
  referrer: string | null,
): EmbedRequest {
  return {
    referrer,
    settings: account.settings,
    protection: video.protection,
    serviceDomains: deps.serviceDomains,
    directPlayHost: deps.directPlayHost,
    token: viewer.token,
    browser: classifyBrowser(request.get('User-Agent') ?? ''),
    status: video.status,
  }
}

/** Every refusal for its token is one security event (spec, "Other records"). */
async function recordRefusal(
  deps: PlayerDeps,
  { video, account }: PlaybackFacts,
  decision: EmbedDecision,
): Promise<void> {
  if (decision.kind !== 'token_required') return
  await recordSecurityEvent(deps.db.em.fork(), {
    accountId: account.id,
    eventType: 'viewer_token_required',
    severity: decision.reason === 'forged' ? 'high' : 'low',
    videoId: video.id,
    viewerId: null,
    details: { reason: decision.reason },
  })
}

async function sendPlayer(
  deps: PlayerDeps,
  assets: Assets,
  key: Buffer,
  { facts, viewer, referrer }: { facts: PlaybackFacts; viewer: Viewer; referrer: string | null },
  response: Response,
): Promise<void> {
  const { video, account } = facts
  const em = deps.db.em.fork()
  const sessionId = crypto.randomUUID()
  const secretVersion = account.signingSecretVersion
  await insertSession(em, {
    id: sessionId,
    accountId: account.id,
    videoId: video.id,
    viewerId: viewer.viewerId,
    signingSecretVersion: secretVersion,
    refererHost: normaliseHost(referrer ?? ''),
    userAgent: response.req.get('User-Agent')?.slice(0, 300) ?? null,
  })
  const renditions = await countRenditions(em, video.id)
  const session = signSession(
    {
      sessionId,
      videoId: video.id,
      accountId: account.id,
      viewerId: viewer.viewerId,
      secretVersion,
    },
    key,
    Date.now(),
  )
  const { watermark, theme, colors } = account.settings
  const isShown = watermark.enabled && viewer.viewerId !== null
  setPageHeaders(response, deps.mediaBase)
  response.send(
    playerPage({
      title: video.title,
      posterUrl: video.hasPoster ? `/posters/${video.id}.jpg` : null,
      theme,
      scriptUrl: assets.scriptUrl,
      styleUrl: assets.styleUrl,
      data: {
        session,
        sessionHeader: SESSION_HEADER,
        manifestUrl: `/media/${video.id}/manifest.mpd`,
        licenceUrl: '/licence/clearkey',
        heartbeatUrl: '/sessions/heartbeat',
        shakaUrl: assets.shakaUrl,
        renditions,
        isComplete: video.status === 'ready',
        watermark: isShown
          ? { text: viewer.viewerId ?? '', opacity: watermark.opacity, size: watermark.size }
          : null,
        colors,
      },
    }),
  )
}
