import type { EncryptionBoxes } from '../../domain/drm/encryption-boxes.ts'
import { boxesOf, inside, Malformed, only, type Box } from './boxes.ts'

const FULL_BOX_BYTES = 4
/** Without the constant IV. */
const TENC_BYTES = 24
/** What sample entries have before their boxes (ISO/IEC 14496-12, sections 12.1.3 and 12.2.3). */
const ENTRY_BYTES: Readonly<Record<string, number>> = { encv: 78, enca: 28 }
const TO_SAMPLES = ['trak', 'mdia', 'minf', 'stbl', 'stsd']

/** Reads an init segment with one encrypted track. Returns null for anything else. */
export function readEncryptionBoxes(init: Buffer): EncryptionBoxes | null {
  try {
    return read(init)
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}

function read(init: Buffer): EncryptionBoxes | null {
  const moov = only(boxesOf(init), 'moov')
  const samples = moov && TO_SAMPLES.reduce<Box | null>(inside, moov)
  if (!moov || !samples) return null
  const entries = boxesOf(samples.body.subarray(FULL_BOX_BYTES + 4))
  const [entry] = entries
  const skipped = ENTRY_BYTES[entry?.type ?? '']
  if (!entry || entries.length !== 1 || skipped === undefined) return null
  const sinf = only(boxesOf(entry.body.subarray(skipped)), 'sinf')
  const schm = sinf && inside(sinf, 'schm')
  const tenc = ['schi', 'tenc'].reduce<Box | null>(inside, sinf)
  if (!schm || !tenc) return null
  const psshBase64 = boxesOf(moov.body)
    .filter(({ type }) => type === 'pssh')
    .map(({ whole }) => whole.toString('base64'))
  const scheme = schm.body.toString('latin1', FULL_BOX_BYTES, FULL_BOX_BYTES + 4)
  return { scheme, ...trackEncryption(tenc.body), psshBase64 }
}

/** The fields of `tenc` (ISO/IEC 23001-7, section 8.2). Version 0 has no pattern. */
function trackEncryption(body: Buffer): Omit<EncryptionBoxes, 'scheme' | 'psshBase64'> {
  if (body.length < TENC_BYTES) throw new Malformed('tenc is cut off')
  const pattern = body.readUInt8(0) === 0 ? 0 : body.readUInt8(5)
  const isProtected = body.readUInt8(6) === 1
  const perSampleIvBytes = body.readUInt8(7)
  const hasConstantIv = isProtected && perSampleIvBytes === 0
  return {
    keyIdHex: body.toString('hex', 8, 24),
    isProtected,
    encryptedBlocks: pattern >> 4,
    clearBlocks: pattern & 0x0f,
    perSampleIvBytes,
    constantIvHex: hasConstantIv ? constantIvOf(body) : null,
  }
}

function constantIvOf(body: Buffer): string {
  const [ivBytes, ...rest] = body.subarray(TENC_BYTES)
  if (ivBytes === undefined || ivBytes > rest.length) throw new Malformed('tenc has no IV')
  return body.toString('hex', TENC_BYTES + 1, TENC_BYTES + 1 + ivBytes)
}
