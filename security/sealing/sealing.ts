import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { SealedKind } from '../../domain/sealed-value.ts'
import { decodeBase64Url } from '../base64url.ts'
import type { SigningKeys } from '../hmac.ts'

/**
 * The master keys by version. New secrets are sealed under `current`; each sealed value names its
 * version.
 */
export interface MasterKeys {
  current: number
  keys: ReadonlyMap<number, Buffer>
}

export class SealingError extends Error {
  override name = 'SealingError'
}

/**
 * The row and the field of a sealed value, so that a value copied elsewhere cannot be opened. Only
 * `security/sealing/secret-contexts.ts` makes one: a rotation of the master key must know every stored value.
 */
export interface SealedContext {
  kind: SealedKind
  /** The associated data of the encryption. */
  text: string
}

/**
 * Seals a secret at rest: AES-256-GCM under the current master key,
 * `v<version>.<nonce>.<cipher+tag>` in base64url.
 */
export const seal = (
  masterKeys: MasterKeys,
  secret: Buffer | string,
  { text }: SealedContext,
): string => encrypt(masterKeys, secret, text)

/**
 * Opens a sealed value. Throws a SealingError, which never contains the value, if it cannot be
 * opened.
 */
export const unseal = (masterKeys: MasterKeys, sealed: string, { text }: SealedContext): Buffer =>
  decrypt(masterKeys, sealed, text)

/**
 * Seals a text that a browser keeps and sends back, like `seal`. It is never stored: a rotation of the
 * master key does not seal it again, so it must expire within minutes; one that lasts longer is named in the steps
 * of docs/operating/master-key.md.
 */
export const sealTicket = (masterKeys: MasterKeys, text: string, context: string): string =>
  encrypt(masterKeys, text, context)

/** Opens a ticket. Returns null for any text that is not one of this context. */
export function openTicket(masterKeys: MasterKeys, ticket: string, context: string): string | null {
  try {
    return decrypt(masterKeys, ticket, context).toString('utf8')
  } catch (error) {
    if (error instanceof SealingError) return null
    throw error
  }
}

/** The version of the master key that a sealed text names; null for any other text. */
export function versionOf(sealed: string): number | null {
  const version = /^v(\d{1,6})\./.exec(sealed)?.[1]
  return version === undefined ? null : Number(version)
}

function encrypt(masterKeys: MasterKeys, secret: Buffer | string, context: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', masterKeyFor(masterKeys, masterKeys.current), nonce)
  cipher.setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()])
  return `v${masterKeys.current}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`
}

function decrypt(masterKeys: MasterKeys, sealed: string, context: string): Buffer {
  const match = /^v(\d{1,6})\.([\w-]{16})\.([\w-]{22,})$/.exec(sealed)
  if (!match) throw new SealingError('a sealed value has an unknown form')
  const bytes = decodeBase64Url(match[3] ?? '')
  if (!bytes) throw new SealingError('a sealed value is not well-formed: it was altered')
  const key = masterKeyFor(masterKeys, Number(match[1]))
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(match[2] ?? '', 'base64url'))
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(-16))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()])
  } catch {
    throw new SealingError('a sealed value does not open: wrong master key or altered')
  }
}

/**
 * Reads MASTER_KEY: one key of 64 hex characters (version 1), or several as `2:<hex>,1:<hex>`, the
 * current one first. Throws a SealingError that describes the problem without the key.
 */
export function parseMasterKeys(text: string): MasterKeys {
  const entries = text.split(',').map((part) => {
    const match = /^(?:([1-9]\d{0,5}):)?([0-9a-fA-F]{64})$/.exec(part.trim())
    if (!match) throw new SealingError('each master key is 64 hex characters, or VERSION:HEX')
    return [Number(match[1] ?? 1), Buffer.from(match[2] ?? '', 'hex')] as const
  })
  const keys = new Map(entries)
  if (keys.size !== entries.length) throw new SealingError('two master keys share a version')
  return { current: entries[0]?.[0] ?? 1, keys }
}

/** The versions, the current one first. */
export const versionsOf = ({ current, keys }: MasterKeys): [number, ...number[]] => [
  current,
  ...[...keys.keys()].filter((version) => version !== current),
]

/** Writes master keys as MASTER_KEY has them: `2:<hex>,1:<hex>`. */
export const formatMasterKeys = (masterKeys: MasterKeys): string =>
  versionsOf(masterKeys)
    .map((version) => `${version}:${masterKeyFor(masterKeys, version).toString('hex')}`)
    .join(',')

/** Adds a random key of a new version, which is not current. */
export const addMasterKey = ({ current, keys }: MasterKeys, version: number): MasterKeys => ({
  current,
  keys: new Map([...keys, [version, randomBytes(KEY_BYTES)]]),
})

/** Returns these versions alone, the first one current. Throws a SealingError if one has no key. */
export const pickMasterKeys = (
  masterKeys: MasterKeys,
  versions: readonly [number, ...number[]],
): MasterKeys => ({
  current: versions[0],
  keys: new Map(versions.map((version) => [version, masterKeyFor(masterKeys, version)])),
})

const KEY_BYTES = 32

const FINGERPRINT_CONTEXT = 'reelgate master key fingerprint'
const FINGERPRINT_BYTES = 16

/**
 * Returns a value that differs for different keys and reveals nothing about them: the first 16
 * bytes of an HMAC-SHA256 of a fixed text under the key, in hex. Throws a SealingError if the
 * version has no key.
 */
export function fingerprintOf(masterKeys: MasterKeys, version: number): string {
  const hmac = createHmac('sha256', masterKeyFor(masterKeys, version)).update(FINGERPRINT_CONTEXT)
  return hmac.digest().subarray(0, FINGERPRINT_BYTES).toString('hex')
}

/** The kinds of text that are signed. Each has keys of its own: a text of one kind is never valid as another. */
type SignedKind = 'playback-session' | 'framing-site' | 'app-challenge' | 'member-token'

/**
 * Derives the keys of 32 bytes that sign one kind of text from the master keys (HKDF-SHA256): that of the current
 * version, which signs, and then those of the other versions, which still verify. So what was signed
 * before a change of the current version stays valid.
 */
export function deriveKeys(masterKeys: MasterKeys, kind: SignedKind): SigningKeys {
  const derive = (version: number): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKeyFor(masterKeys, version), '', kind, 32))
  const [current, ...others] = versionsOf(masterKeys)
  return [derive(current), ...others.map(derive)]
}

function masterKeyFor(masterKeys: MasterKeys, version: number): Buffer {
  const key = masterKeys.keys.get(version)
  if (!key) throw new SealingError(`there is no master key of version ${version}`)
  return key
}
