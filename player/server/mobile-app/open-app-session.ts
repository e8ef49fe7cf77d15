import type { Response } from 'express'
import type { z } from 'zod'
import { redeemChallenge } from '../../../commands/app-sessions/redeem-challenge.ts'
import { forkForRequest, type EntityManager } from '../../../db/database.ts'
import { findAppAttestPublicKey } from '../../../db/playback/mobile-app.ts'
import { findPlayback, type PlaybackFacts } from '../../../db/playback/playback.ts'
import { decideApp } from '../../../domain/playback/embed-access.ts'
import { readDeepLink } from '../../../domain/playback/embed-url.ts'
import { INTEGER_MAX } from '../../../domain/row-id.ts'
import { getRequestId } from '../../../processes/request-log.ts'
import { AppAttestError } from '../../../security/attestation/app-attest.ts'
import {
  AttestationError,
  verifyAttestation,
  type Attested,
} from '../../../security/attestation/attestation.ts'
import { PlayIntegrityError } from '../../../security/attestation/play-integrity.ts'
import {
  attestedHash,
  readAppChallenge,
  type AppChallenge,
} from '../../../security/tokens/app-challenge.ts'
import { readViewerToken } from '../../../security/tokens/viewer-token.ts'
import type { MobileApp, ServerContext } from '../deps.ts'
import { verifyViewer, type Viewer } from '../embed/embed-request.ts'
import { takeRefusal } from '../embed/limited-refusals.ts'
import { viewerFacts } from '../embed/refusal-facts.ts'
import { tooManyRequests } from '../limits/anonymous-limits.ts'
import type { RefusalFacts } from '../playback-reports/note-refusal.ts'
import { tokenRefusal } from '../security-events/token-refusal.ts'
import { appError, tokenError } from './app-errors.ts'
import { appResponse } from './app-response.ts'
import { statementOf, type sessionBody, type sessionResponse } from './schemas.ts'

type AppContext = ServerContext & { mobileApp: MobileApp }
type SessionBody = z.infer<typeof sessionBody>

/**
 * Opens a playback session for the app. Checks the challenge, then the viewer token as an embed page does, then
 * the attestation, and redeems the challenge last: only a request that may play uses it up. The domain rules do not
 * apply. Throws a PlayerError.
 */
export async function openAppSession(
  context: AppContext,
  body: SessionBody,
  response: Response,
): Promise<z.infer<typeof sessionResponse>> {
  const { link } = body
  const path = readDeepLink(link)
  if (!path || path.accountId > INTEGER_MAX) throw appError('invalid_link')
  const challenge = readAppChallenge(body.challenge, link, context.challengeKeys, Date.now())
  if (!challenge) throw appError('invalid_challenge')
  const sent = path.vt === null ? null : readViewerToken(path.vt)
  const claimedId = sent?.claims?.viewerId ?? null
  response.locals.refusal = appRefusal(path)
  const facts = await findPlayback(context.db, path.videoId, path.accountId, claimedId)
  if (!facts) throw appError('video_not_found')
  response.locals.accountId = path.accountId
  const viewer = verifyViewer(context.masterKeys, facts, sent)
  response.locals.refusal = { ...appRefusal(path), ...viewerFacts(viewer, sent) }
  const em = forkForRequest(context.db, getRequestId(response))
  const app = { facts, viewer, response }
  await requirePlay(context, app)
  if (viewer.token !== 'valid')
    context.limits.takeWrite({ sessionId: challenge.id }, response.req, response)
  const attested = await attest(context, em, body, app)
  await redeem(context, em, challenge, attested, app)
  return appResponse(context, { facts, viewer })
}

/** The app has no site. */
const appRefusal = ({
  videoId,
  accountId,
}: {
  videoId: string
  accountId: number
}): RefusalFacts => ({ videoId, accountId, viewerId: null, host: null, details: {} })

interface Player {
  facts: PlaybackFacts
  viewer: Viewer
  response: Response
}

async function requirePlay(
  context: AppContext,
  { facts: { video, account }, viewer: { token, viewerId }, response }: Player,
): Promise<void> {
  const { protection, status } = video
  const decision = decideApp({ settings: account.settings, protection, token, status })
  switch (decision.kind) {
    case 'play':
      return
    case 'wait':
      throw appError('video_not_ready')
    case 'failed':
      throw appError('video_failed')
    case 'not_multi_drm':
      throw appError('multi_drm_required')
    case 'token_required':
      requireRoom(context, response, token)
      await context.recorder.record(
        tokenRefusal(video, viewerId, decision.reason, getRequestId(response)),
      )
      throw tokenError(decision.reason)
  }
}

/** Throws 429 if the network of a request without a valid viewer token has too many refusals. */
function requireRoom(context: AppContext, response: Response, token: Viewer['token']): void {
  const waitMs = token === 'valid' ? 0 : takeRefusal(context, response.req, response)
  if (waitMs > 0) throw tooManyRequests(response, 'refusals', waitMs)
}

/** Verifies what the app attests. Resolves to null if it need not attest and does not. */
async function attest(
  context: AppContext,
  em: EntityManager,
  body: SessionBody,
  player: Player,
): Promise<Attested | null> {
  const { apps, mustAttest } = context.mobileApp
  const statement = statementOf(body)
  if (!statement) {
    if (mustAttest) throw appError('attestation_required')
    return null
  }
  try {
    return await verifyAttestation(statement, apps, {
      hash: attestedHash(body.challenge, body.link),
      nowMs: Date.now(),
      publicKeyOf: (keyId, environment) => findAppAttestPublicKey(em, keyId, environment),
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    // Also after a retention or a restore: no reason for an event.
    if (error.message === 'unknown_key') throw appError('unknown_attestation_key')
    await recordRefusal(context, player, { kind: statement.kind, reason: error.message })
    throw appError('attestation_refused')
  }
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof AttestationError ||
  error instanceof AppAttestError ||
  error instanceof PlayIntegrityError

async function redeem(
  context: AppContext,
  em: EntityManager,
  challenge: AppChallenge,
  attested: Attested | null,
  player: Player,
): Promise<void> {
  const outcome = await redeemChallenge(em, challenge, attested)
  if (outcome === 'admitted') return
  if (outcome === 'challenge_used') throw appError('invalid_challenge')
  await recordRefusal(context, player, { kind: 'app-attest', reason: 'counter' })
  throw appError('attestation_refused')
}

/** `reason` is the name of a failed check. Repeated refusals of a viewer or a network are counted for an hour. */
async function recordRefusal(
  context: AppContext,
  { facts: { video }, viewer: { token, viewerId }, response }: Player,
  details: { kind: string; reason: string },
): Promise<void> {
  requireRoom(context, response, token)
  const repeatsOf = context.limits.originOf(viewerId, response.req)
  const { accountId } = video
  if (context.recorder.isFullOf({ accountId, repeatsOf }))
    throw tooManyRequests(response, 'waiting_events')
  await context.recorder.record({
    accountId,
    videoId: video.id,
    eventType: 'app_attestation_refused',
    severity: 'medium',
    viewerId,
    details,
    requestId: getRequestId(response),
    repeatsOf,
  })
}
