import type { Request, Response } from 'express'
import type { SessionEvent } from '../../../commands/security-events/note-session-event.ts'
import {
  findEntitlement,
  grantLicence,
  type Entitlement,
} from '../../../db/playback/write-licences.ts'
import { giveUpLease } from '../../../db/playback/write-stream-leases.ts'
import type { DrmSystemName } from '../../../domain/drm/drm-system.ts'
import { SERVICE_CERTIFICATE_REQUEST } from '../../../drm/licences/certificates.ts'
import { storedDeviceId } from '../../../drm/licences/device-id.ts'
import type {
  CertificateSystem,
  LicenceKey,
  LicenceRefusal,
  LicenceResponse,
} from '../../../drm/licences/licence-adapter.ts'
import { getRequestId } from '../../../processes/request-log.ts'
import { unseal } from '../../../security/sealing/sealing.ts'
import { contentKeyContext } from '../../../security/sealing/secret-contexts.ts'
import type { ServerContext } from '../deps.ts'
import { PlayerError } from '../player-error.ts'
import { recordSessionEvent } from '../security-events/record-session-event.ts'
import type { SessionResponse } from '../session.ts'
import { userAgentOf } from '../user-agent.ts'
import { countedLicence } from './counted-licence.ts'
import { refuseSession, type LicenceExchange } from './refuse-session.ts'

interface DrmExchange extends LicenceExchange {
  system: DrmSystemName
}

/**
 * Licences of Multi-DRM videos: the player sends what its CDM wrote and gets what the CDM reads. The licence
 * leaves only after the statement that records the grant has found the session alive.
 */
export const drmLicenceHandler =
  (context: ServerContext, system: DrmSystemName) =>
  async (request: Request, response: SessionResponse): Promise<void> => {
    const challenge = readChallenge(request.body)
    // The certificate of the service is public and no licence: it counts no grant.
    if (system === 'widevine' && challenge.equals(SERVICE_CERTIFICATE_REQUEST)) {
      const certificate = await context.licences?.adapter.certificate('widevine')
      if (!certificate) throw refusalError('drm_unavailable')
      return void response.type('application/octet-stream').send(certificate)
    }
    const licence = getLicence({ context, request, response, system }, challenge)
    response.type('application/octet-stream').send(await countedLicence(system, licence))
  }

/** Resolves to the provider's licence when the grant is recorded. Throws the refusal of either. */
async function getLicence(exchange: DrmExchange, challenge: Buffer): Promise<Buffer> {
  const { deviceId, licence } = await requestLicence(exchange, challenge)
  await grant(exchange, deviceId)
  return licence
}

type Granted = Extract<LicenceResponse, { outcome: 'granted' }>
type Refused = Extract<LicenceResponse, { outcome: 'refused' }>

function readChallenge(body: unknown): Buffer {
  if (Buffer.isBuffer(body) && body.length > 0) return body
  throw new PlayerError(400, 'invalid_licence_request', 'The body is not a licence request.')
}

/** Asks the provider with the entitlement of the session. Throws its refusal. */
async function requestLicence(exchange: DrmExchange, challenge: Buffer): Promise<Granted> {
  const { context, request, response, system } = exchange
  const { session } = response.locals
  const entitlement = await findEntitlement(context.db, session)
  if (!entitlement) throw await refuseSession(exchange, refusalOf)
  const { licences, logger } = context
  if (!licences) {
    logger.error('a Multi-DRM video is played, but DRM_LICENCE_PROVIDER is not set')
    throw refusalError('drm_unavailable')
  }
  const result = await licences.adapter.requestLicence({
    system,
    challenge,
    contentType: request.get('Content-Type') ?? null,
    soapAction: request.get('SOAPAction') ?? null,
    videoId: session.videoId,
    viewerId: session.viewerId,
    sessionId: session.sessionId,
    keys: licenceKeysOf(context, session.videoId, entitlement),
    policy: entitlement.policy,
    nowMs: Date.now(),
  })
  if (result.outcome === 'granted') return result
  throw await refuse(exchange, result)
}

/**
 * Opens the keys only if the provider is handed them: those of a video whose keys were made here always, because
 * no provider has them.
 */
function licenceKeysOf(
  { licences, masterKeys }: ServerContext,
  videoId: string,
  { keys, keyModel }: Entitlement,
): LicenceKey[] {
  const isHandedOver = licences?.keyModel === 'own' || keyModel === 'own'
  return keys.map(({ name, keyIdHex, trackTypes, sealedKey, ivHex }) => ({
    keyIdHex,
    trackTypes,
    key: isHandedOver ? unseal(masterKeys, sealedKey, contentKeyContext(videoId, name)) : null,
    ivHex,
  }))
}

/** Records the grant. Throws if the session has ended meanwhile, or the account has revoked the device. */
async function grant(exchange: DrmExchange, device: string | null): Promise<void> {
  const { context, request, response, system } = exchange
  const { session } = response.locals
  const deviceId = device === null ? null : storedDeviceId(device)
  const userAgent = userAgentOf(request)
  const outcome = await grantLicence(context.db, session, userAgent, { system, deviceId })
  if (outcome === 'granted') return
  if (outcome === 'session_over') throw await refuseSession(exchange, refusalOf)
  await recordSessionEvent(context, request, response, deviceRevoked('account', deviceId))
  throw refusalError('drm_device_revoked')
}

/** Logs and records a refusal of the provider; returns the error for the player. */
async function refuse(
  { context, request, response, system }: DrmExchange,
  { code, providerCode, requestId: providerRequestId, deviceId }: Refused,
): Promise<PlayerError> {
  const { logger, licences } = context
  const provider = licences?.adapter.provider
  // A play that cannot begin keeps no other from beginning.
  if (code !== 'drm_unavailable') await giveUpLease(context.db.em.fork(), response.locals.session)
  const facts = { provider, system, code, providerCode, providerRequestId }
  logger.warn({ ...facts, requestId: getRequestId(response) }, 'the DRM provider gave no licence')
  if (code === 'drm_device_revoked') {
    const stored = deviceId === null ? null : storedDeviceId(deviceId)
    await recordSessionEvent(context, request, response, deviceRevoked('provider', stored))
  } else if (code !== 'drm_unavailable')
    await recordSessionEvent(context, request, response, {
      eventType: 'licence_refused',
      severity: 'medium',
      details: { reason: code },
    })
  return refusalError(code)
}

const deviceRevoked = (by: 'account' | 'provider', deviceId: string | null): SessionEvent => ({
  eventType: 'drm_device_revoked',
  severity: 'high',
  details: { revoked_by: by, ...(deviceId !== null && { device_id: deviceId }) },
})

const refusalOf = (protection: string | null): PlayerError =>
  protection === 'clearkey' ? notMultiDrm() : refusalError('licence_refused')

const notMultiDrm = (): PlayerError =>
  new PlayerError(403, 'multi_drm_not_used', 'This video is protected by ClearKey.')

const MESSAGES: Record<LicenceRefusal, string> = {
  licence_refused: 'The DRM provider has refused the licence.',
  drm_device_revoked: 'This device may not play protected videos any more.',
  drm_security_too_low: 'This device is not secure enough to play this video.',
  drm_output_blocked: 'The output of this device does not protect videos.',
  drm_unavailable: 'The DRM provider is not responding. Try again in a moment.',
}

/** 403, or 503 if the provider is away: the player may try again. */
const refusalError = (code: LicenceRefusal): PlayerError =>
  new PlayerError(code === 'drm_unavailable' ? 503 : 403, code, MESSAGES[code])

const CERTIFICATE_MAX_AGE_SECONDS = 3600

/** The certificate of the licence servers, which is public. */
export const drmCertificateHandler =
  ({ licences }: ServerContext, system: CertificateSystem) =>
  async (_request: Request, response: Response): Promise<void> => {
    const certificate = await licences?.adapter.certificate(system)
    if (!certificate)
      throw new PlayerError(404, 'no_certificate', 'There is no certificate for this DRM system.')
    response
      .set('Cache-Control', `public, max-age=${CERTIFICATE_MAX_AGE_SECONDS}`)
      .type('application/octet-stream')
      .send(certificate)
  }
