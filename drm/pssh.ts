import { decodeBase64 } from './base64.ts'

/** A protection system specific header box (ISO/IEC 23001-7, section 8.1). */
export interface Pssh {
  /** Lowercase UUID. */
  systemId: string
  /** The whole box. */
  box: Buffer
  /** What the system itself defines. */
  data: Buffer
}

const HEAD_BYTES = 32
const KEY_ID_BYTES = 16

/** Reads exactly one pssh box of version 0 or 1 in base64; null if the text is anything else. */
export function parsePssh(base64: string): Pssh | null {
  const box = decodeBase64(base64)
  if (!box || box.length < HEAD_BYTES || box.readUInt32BE(0) !== box.length) return null
  if (box.toString('latin1', 4, 8) !== 'pssh') return null
  const version = box.readUInt8(8)
  if (version > 1) return null
  const sizeAt = version === 0 ? 28 : HEAD_BYTES + KEY_ID_BYTES * box.readUInt32BE(28)
  if (sizeAt + 4 > box.length) return null
  const data = box.subarray(sizeAt + 4)
  if (box.readUInt32BE(sizeAt) !== data.length) return null
  const systemId = box
    .toString('hex', 12, 28)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { systemId, box, data }
}

/** Writes a pssh box of version 0, which every system reads. */
export function writePssh(systemId: string, data: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32BE(HEAD_BYTES + data.length, 0)
  head.write('pssh', 4, 'latin1')
  Buffer.from(systemId.replaceAll('-', ''), 'hex').copy(head, 12)
  head.writeUInt32BE(data.length, 28)
  return Buffer.concat([head, data])
}
