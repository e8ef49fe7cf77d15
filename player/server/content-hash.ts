import { createHash } from 'node:crypto'

/** Names a content in an address or an ETag: another content has another. 16 hex characters. */
export const contentHash = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('hex').slice(0, 16)
