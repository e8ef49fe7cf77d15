import { createHash, randomBytes } from 'node:crypto'

const PREFIX = 'rg_live_'

/** A new API key as its owner sees it, once: 256 random bits, so its hash needs no salt and no stretching. */
export const createApiKey = (): string => PREFIX + randomBytes(32).toString('base64url')

/** What is stored of a key: SHA-256 in hex. */
export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Enough of a key to recognise it in a list, too little to guess it. */
export const apiKeyHint = (key: string): string => key.slice(0, PREFIX.length + 4)

/** True for text in the shape of an API key; anything else needs no look-up. */
export const looksLikeApiKey = (text: string): boolean => /^rg_live_[\w-]{43}$/.test(text)
