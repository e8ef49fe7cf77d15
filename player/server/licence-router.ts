import express, { Router } from 'express'
import { findContentKeys, recordKeyGrant, touchSession } from '../../db/playback.ts'
import { LicenceError, clearKeyLicence, parseClearKeyRequest } from '../../drm/clear-key-licence.ts'
import { unseal } from '../../security/sealing.ts'
import { contentKeyContext } from '../../security/secret-contexts.ts'
import type { PlaybackSession } from '../../security/session-token.ts'
import type { PlayerDeps } from './deps.ts'
import { PlayerError } from './player-error.ts'
import { requireSession, sessionKey, sessionOf } from './session.ts'

/**
 * The one way by which content keys leave: a live session, a video that plays, and keys of that
 * video alone; each grant is recorded.
 */
export function licenceRouter(deps: PlayerDeps): Router {
  const router = Router()
  const session = requireSession(sessionKey(deps.masterKeys))
  const anyJson = express.json({ limit: '16kb', type: () => true })

  router.post('/licence/clearkey', session, anyJson, async (request, response) => {
    const keyIds = asked(() => parseClearKeyRequest(request.body))
    response.json(clearKeyLicence(await grant(deps, sessionOf(response), keyIds)))
  })

  // HLS names a key by address, and takes its 16 bytes.
  router.get('/licence/clearkey/:keyId', session, async (request, response) => {
    const keyId = String(request.params.keyId)
    const [key] = await grant(deps, sessionOf(response), [keyId])
    response.type('application/octet-stream').send(key?.key)
  })
  return router
}

async function grant(
  deps: PlayerDeps,
  session: PlaybackSession,
  keyIds: string[],
): Promise<{ keyIdHex: string; key: Buffer }[]> {
  const em = deps.db.em.fork()
  if (!(await touchSession(em, session)))
    throw new PlayerError(403, 'session_ended', 'This playback may not go on.')
  const rows = await findContentKeys(em, session.videoId)
  // A Multi-DRM video's keys belong to its DRM provider's licence servers.
  if (rows.some(({ systems }) => systems.length > 0))
    throw new PlayerError(403, 'clearkey_not_allowed', 'This video is not protected by ClearKey.')
  const keys = keyIds.map((keyIdHex) => {
    const row = rows.find(({ keyId }) => keyId === keyIdHex)
    if (!row) throw new PlayerError(403, 'unknown_key', 'The key is not of this video.')
    const context = contentKeyContext(session.videoId, row.trackType)
    return { keyIdHex, key: unseal(deps.masterKeys, row.sealedKey, context) }
  })
  if (!(await recordKeyGrant(em, session.sessionId)))
    throw new PlayerError(403, 'session_ended', 'This playback may not go on.')
  return keys
}

function asked(read: () => string[]): string[] {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof LicenceError)) throw error
    throw new PlayerError(400, error.code, error.message)
  }
}
