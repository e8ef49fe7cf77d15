import type { ByteRange } from '../../../storage/object-storage.ts'

/**
 * Parses a Range header for an object of `sizeBytes` (RFC 9110, section 14). Both ends are inclusive.
 * Returns null if the header is missing or is not a single byte range: a server may ignore it then.
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0
      ? 'unsatisfiable'
      : { startByte: sizeBytes - length, endByte: sizeBytes - 1 }
  }
  const startByte = Number(first)
  const endByte = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (last !== '' && Number(last) < startByte) return null
  return startByte >= sizeBytes ? 'unsatisfiable' : { startByte, endByte }
}
