/**
 * True where the text is exactly one protection system specific header box in base64, of the system
 * with this UUID (ISO/IEC 23001-7, section 8.1).
 */
export function isPsshOf(systemId: string, base64: string): boolean {
  const box = Buffer.from(base64, 'base64')
  return (
    box.length >= 32 &&
    box.readUInt32BE(0) === box.length &&
    box.toString('latin1', 4, 8) === 'pssh' &&
    box.toString('hex', 12, 28) === systemId.replaceAll('-', '')
  )
}
