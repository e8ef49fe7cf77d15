import type { Request } from 'express'
import { grantKeys } from '../../../db/playback/write-playback-sessions.ts'
import {
  clearKeyLicence,
  LicenceError,
  parseClearKeyRequest,
} from '../../../drm/clear-key-licence.ts'
import { unseal } from '../../../security/sealing/sealing.ts'
import { contentKeyContext } from '../../../security/sealing/secret-contexts.ts'
import type { ServerContext } from '../deps.ts'
import { PlayerError } from '../player-error.ts'
import type { SessionResponse } from '../session.ts'
import { userAgentOf } from '../user-agent.ts'
import { countedLicence } from './counted-licence.ts'
import { refuseSession, type LicenceExchange } from './refuse-session.ts'

/**
 * ClearKey licences, the only responses that contain content keys. A licence requires a live session
 * and a playable video, and contains only keys of that video. The statement that finds the keys
 * records the grant.
 */
export function licenceHandlers(context: ServerContext) {
  return {
    clearKey: async (request: Request, response: SessionResponse): Promise<void> => {
      const keyIds = readKeyIds(request.body)
      response.json(clearKeyLicence(await grant({ context, request, response }, keyIds)))
    },

    /** Sends the 16 bytes of one key, as HLS players expect. */
    hlsKey: async (request: Request, response: SessionResponse): Promise<void> => {
      const keyId = String(request.params.keyId)
      if (!/^[0-9a-f]{32}$/.test(keyId)) throw unknownKey()
      const [key] = await grant({ context, request, response }, [keyId])
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
const grant = (exchange: LicenceExchange, keyIds: string[]): Promise<OpenedKey[]> =>
  countedLicence('clearkey', openKeys(exchange, keyIds))

async function openKeys(exchange: LicenceExchange, keyIds: string[]): Promise<OpenedKey[]> {
  const { context, request, response } = exchange
  const { session } = response.locals
  const userAgent = userAgentOf(request)
  const rows = await grantKeys(context.db, session, userAgent, [...new Set(keyIds)])
  if (!rows) throw await refuseSession(exchange, refusalOf)
  return rows.map(({ keyIdHex, name, sealedKey }) => ({
    keyIdHex,
    key: unseal(context.masterKeys, sealedKey, contentKeyContext(session.videoId, name)),
  }))
}

/** The DRM provider's licence servers hold the keys of a Multi-DRM video. */
const refusalOf = (protection: string | null): PlayerError =>
  protection === 'multi-drm'
    ? new PlayerError(403, 'clearkey_not_allowed', 'This video is not protected by ClearKey.')
    : unknownKey()

const unknownKey = (): PlayerError =>
  new PlayerError(403, 'unknown_key', 'The key does not belong to this video.')
