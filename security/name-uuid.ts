import { createHash } from 'node:crypto'

/** Of all names that this service gives UUIDs. It never changes. */
const NAMESPACE = Buffer.from('5a3c1c0e6f0d4d0f9f6b7d2e8c1a4b93', 'hex')
const UUID_BYTES = 16

/** Returns the UUID of a name: always the same one (RFC 9562, version 5). */
export function nameUuid(name: string): string {
  const hash = createHash('sha1').update(NAMESPACE).update(name, 'utf8').digest()
  const bytes = hash.subarray(0, UUID_BYTES)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
