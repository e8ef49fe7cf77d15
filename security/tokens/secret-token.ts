import { createHash, randomBytes } from 'node:crypto'

/** Creates a random token for a link or a cookie: 43 characters of base64url, 256 bits. */
export const createSecretToken = (): string => randomBytes(32).toString('base64url')

/** Returns the stored form of a token: SHA-256 in hex. So many random bits need no salt. */
export const hashSecretToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex')

/** True for text in the form of a token; other text needs no lookup. */
export const looksLikeSecretToken = (text: string): boolean => /^[\w-]{43}$/.test(text)
