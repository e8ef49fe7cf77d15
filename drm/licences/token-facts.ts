import { createHash } from 'node:crypto'
import { uuidOf } from '../uuid.ts'

/** How long an entitlement is valid; it is used at once. */
export const TOKEN_SECONDS = 300
/** How far tokens are dated back: servers refuse a token from the future, and clocks differ. */
export const BACKDATED_SECONDS = 10

/** Returns a time in Unix seconds. */
export const unixSeconds = (ms: number): number => Math.floor(ms / 1000)

/**
 * Returns the id under which the provider knows a viewer. It is a hash, because viewer ids are often e-mail
 * addresses; without a viewer id, it is made from the session.
 */
export const viewerAlias = (viewerId: string | null, sessionId: string): string =>
  createHash('sha256')
    .update(viewerId === null ? `session:${sessionId}` : `viewer:${viewerId}`)
    .digest('hex')
    .slice(0, 32)

/** Returns a key id as a lowercase UUID. */
export const keyUuid = (keyIdHex: string): string => uuidOf(Buffer.from(keyIdHex, 'hex'))
