import { Router } from 'express'
import type { Request, Response } from 'express'
import { recordSessionEvent } from '../../commands/security-events/record-session-event.ts'
import { findProtection } from '../../db/playback.ts'
import { findSessionEnd, grantKeys } from '../../db/playback-sessions.ts'
import type { SecuritySeverity } from '../../domain/events.ts'
import { forkForRequest } from '../../db/request-of-work.ts'
import { LicenceError, clearKeyLicence, parseClearKeyRequest } from '../../drm/clear-key-licence.ts'
import { unseal } from '../../security/sealing.ts'
import { contentKeyContext } from '../../security/secret-contexts.ts'
import type { PlaybackSession } from '../../domain/playback-session.ts'
import { requestIdOf } from '../../processes/request-log.ts'
import type { PlayerDeps } from './deps.ts'
import { endOfSession } from './end-of-session.ts'
import { jsonBody } from './json-body.ts'
import { PlayerError } from './player-error.ts'
import { requireSession, sessionKey, sessionOf, userAgentOf } from './session.ts'

/**
 * The one way by which content keys leave: a live session, a video that plays, and keys of that
 * video alone; each grant is recorded, in the statement that finds the keys.
 */
export function licenceRouter(deps: PlayerDeps): Router {
  const router = Router()
  const session = requireSession(sessionKey(deps.masterKeys))

  router.post('/licence/clearkey', session, jsonBody(), async (request, response) => {
    const keyIds = asked(() => parseClearKeyRequest(request.body))
    response.json(clearKeyLicence(await grant(deps, request, response, keyIds)))
  })

  // HLS names a key by address, and takes its 16 bytes.
  router.get('/licence/clearkey/:keyId', session, async (request, response) => {
    const { keyId = '' } = request.params as { keyId?: string }
    if (!/^[0-9a-f]{32}$/.test(keyId)) throw unknownKey()
    const [key] = await grant(deps, request, response, [keyId])
    response.type('application/octet-stream').send(key?.key)
  })
  return router
}

async function grant(
  deps: PlayerDeps,
  request: Request,
  response: Response,
  keyIds: string[],
): Promise<{ keyIdHex: string; key: Buffer }[]> {
  const session = sessionOf(response)
  const userAgent = userAgentOf(request)
  const rows = await grantKeys(deps.db, session, userAgent, [...new Set(keyIds)])
  if (!rows) {
    const refusal = await refusalOf(deps, session)
    const { code } = refusal
    const em = forkForRequest(deps.db, requestIdOf(response))
    await recordSessionEvent(em, session, userAgent, {
      eventType: 'licence_refused',
      severity: severityOf(code),
      details: { reason: code },
    })
    throw refusal
  }
  return rows.map(({ keyIdHex, trackType, sealedKey }) => {
    const context = contentKeyContext(session.videoId, trackType)
    return { keyIdHex, key: unseal(deps.masterKeys, sealedKey, context) }
  })
}

async function refusalOf(deps: PlayerDeps, session: PlaybackSession): Promise<PlayerError> {
  const em = deps.db.em.fork()
  const end = await findSessionEnd(em, session)
  if (end) return endOfSession(end)
  // A Multi-DRM video's keys belong to its DRM provider's licence servers.
  return (await findProtection(em, session.videoId)) === 'multi-drm'
    ? new PlayerError(403, 'clearkey_not_allowed', 'This video is not protected by ClearKey.')
    : unknownKey()
}

const unknownKey = (): PlayerError =>
  new PlayerError(403, 'unknown_key', 'The key does not belong to this video.')

/** A session that outlived its video or its secret is everyday; one that asks for more is not. */
const severityOf = (code: string): SecuritySeverity =>
  ['secret_rotated', 'video_deleted', 'session_ended'].includes(code) ? 'low' : 'medium'

function asked(read: () => string[]): string[] {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof LicenceError)) throw error
    throw new PlayerError(400, error.code, error.message)
  }
}
