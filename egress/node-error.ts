/**
 * Returns the `code` of an error from Node or undici, empty without one; across realms, these are
 * not `instanceof Error`.
 */
export const nodeErrorCode = (error: unknown): string => fieldOf(error, 'code')

/** Returns the `message` of such an error. */
export const nodeErrorMessage = (error: unknown): string => fieldOf(error, 'message')

/** Returns what a parser of HTTP did not understand: `data` of undici, `rawPacket` of Node; empty without it. */
export function unparsedText(error: unknown): string {
  const packet = valueOf(error, 'rawPacket')
  return Buffer.isBuffer(packet) ? packet.toString('latin1') : fieldOf(error, 'data')
}

function fieldOf(error: unknown, name: string): string {
  const value = valueOf(error, name)
  return typeof value === 'string' ? value : ''
}

const valueOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
