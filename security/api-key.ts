import { createHash, randomBytes } from 'node:crypto'

const PREFIX = 'rg_live_'

/**
 * Creates an API key with 256 random bits. A hash of so many bits needs no salt and no stretching.
 */
export const createApiKey = (): string => PREFIX + randomBytes(32).toString('base64url')

/** Returns the stored form of a key: SHA-256 in hex. */
export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Returns the start of a key, which identifies it in a list but is too short to help guess it. */
export const apiKeyHint = (key: string): string => key.slice(0, PREFIX.length + 4)

/** True for text in the form of an API key; other text needs no lookup. */
export const looksLikeApiKey = (text: string): boolean => /^rg_live_[\w-]{43}$/.test(text)
