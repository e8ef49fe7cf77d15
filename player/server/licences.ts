import type { Request } from 'express'
import { OVER_LIMIT } from '../../commands/security-events/note-session-event.ts'
import type { SessionEvent } from '../../commands/security-events/note-session-event.ts'
import { findProtection } from '../../db/playback/playback.ts'
import { grantKeys } from '../../db/playback/playback-sessions.ts'
import type { SecuritySeverity } from '../../domain/webhooks/events.ts'
import type { PlaybackSession } from '../../domain/playback/playback-session.ts'
import { LicenceError, clearKeyLicence, parseClearKeyRequest } from '../../drm/clear-key-licence.ts'
import { unseal } from '../../security/sealing/sealing.ts'
import { contentKeyContext } from '../../security/sealing/secret-contexts.ts'
import { countedLicence } from './counted-licence.ts'
import type { ServerContext } from './deps.ts'
import { PlayerError } from './player-error.ts'
import { recordSessionEvent } from './security-events/record-session-event.ts'
import { endOf, sessionEnded } from './session.ts'
import type { SessionResponse } from './session.ts'
import { userAgentOf } from './user-agent.ts'

/**
 * ClearKey licences, the only responses that contain content keys. A licence requires a live session
 * and a playable video, and contains only keys of that video. The statement that finds the keys
 * records the grant.
 */
export function licenceHandlers(context: ServerContext) {
  return {
    clearKey: async (request: Request, response: SessionResponse): Promise<void> => {
      const keyIds = readKeyIds(request.body)
      response.json(clearKeyLicence(await grant(context, request, response, keyIds)))
    },

    /** Sends the 16 bytes of one key, as HLS players expect. */
    hlsKey: async (request: Request, response: SessionResponse): Promise<void> => {
      const keyId = String(request.params.keyId)
      if (!/^[0-9a-f]{32}$/.test(keyId)) throw unknownKey()
      const [key] = await grant(context, request, response, [keyId])
      response.type('application/octet-stream').send(key?.key)
    },
  }
}

/** Reads the key ids of a ClearKey request. Throws 400 with the code of the LicenceError. */
function readKeyIds(body: unknown): string[] {
  try {
    return parseClearKeyRequest(body)
  } catch (error) {
    if (!(error instanceof LicenceError)) throw error
    throw new PlayerError(400, error.code, error.message)
  }
}

interface OpenedKey {
  keyIdHex: string
  key: Buffer
}

/** Grants the keys to the session; records and throws the refusal if it may not have them. */
const grant = (...request: Parameters<typeof openKeys>): Promise<OpenedKey[]> =>
  countedLicence('clearkey', openKeys(...request))

async function openKeys(
  context: ServerContext,
  request: Request,
  response: SessionResponse,
  keyIds: string[],
): Promise<OpenedKey[]> {
  const { session } = response.locals
  const userAgent = userAgentOf(request)
  const rows = await grantKeys(context.db, session, userAgent, [...new Set(keyIds)])
  if (!rows) {
    const refusal = await findRefusal(context, session)
    const event: SessionEvent = {
      eventType: 'licence_refused',
      severity: severityOf(refusal.code),
      details: { reason: refusal.code },
    }
    const isOverLimit = refusal.code === 'too_many_streams'
    await recordSessionEvent(context, request, response, isOverLimit ? OVER_LIMIT : event)
    throw refusal
  }
  return rows.map(({ keyIdHex, name, sealedKey }) => ({
    keyIdHex,
    key: unseal(context.masterKeys, sealedKey, contentKeyContext(session.videoId, name)),
  }))
}

async function findRefusal({ db }: ServerContext, session: PlaybackSession): Promise<PlayerError> {
  const em = db.em.fork()
  const end = await endOf(em, session)
  if (end) return sessionEnded(end)
  // The DRM provider's licence servers hold the keys of a Multi-DRM video.
  return (await findProtection(em, session.videoId)) === 'multi-drm'
    ? new PlayerError(403, 'clearkey_not_allowed', 'This video is not protected by ClearKey.')
    : unknownKey()
}

const unknownKey = (): PlayerError =>
  new PlayerError(403, 'unknown_key', 'The key does not belong to this video.')

/** Sessions often outlive their video or secret. A request for other keys is suspicious. */
const severityOf = (code: string): SecuritySeverity =>
  ['secret_rotated', 'video_deleted', 'video_failed', 'session_ended'].includes(code)
    ? 'low'
    : 'medium'
