import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'

const BLOCK_BYTES = 16
const PURPOSE = 'reelgate scratch file'

/** Names one file of scratch space, which has a key of its own: 32 hex characters. */
export const newScratchSalt = (): string => randomBytes(16).toString('hex')

/**
 * Encrypts or decrypts the bytes of a scratch file that follow `offset`, in their order (AES-256-CTR, ADR 0055). A file keeps its size
 * and the places of its bytes. Its key follows from that of the source and from its salt. No place of a file may get two
 * different bytes: a file that begins again needs a new salt.
 */
export function scratchCipher(
  sourceKey: Uint8Array,
  salt: string,
  offset: number,
): (bytes: Buffer) => Buffer {
  const key = hkdfSync('sha256', sourceKey, Buffer.from(salt, 'hex'), PURPOSE, 32)
  const counter = Buffer.alloc(BLOCK_BYTES)
  counter.writeBigUInt64BE(BigInt(Math.floor(offset / BLOCK_BYTES)), BLOCK_BYTES / 2)
  const cipher = createCipheriv('aes-256-ctr', Buffer.from(key), counter)
  cipher.update(Buffer.alloc(offset % BLOCK_BYTES))
  return (bytes) => cipher.update(bytes)
}
