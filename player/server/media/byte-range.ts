import type { ByteRange } from '../../../storage/object-storage.ts'

/**
 * Reads a Range header for an object of `sizeBytes` (RFC 9110, section 14). Null where there is none
 * or it is not a single byte range, which may be ignored; both ends are inclusive.
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
