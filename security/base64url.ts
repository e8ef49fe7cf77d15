/**
 * The bytes of base64url text without padding; null unless it is the one spelling of them. Node's own
 * decoder skips what is not base64url and ignores the spare bits of the last character.
 */
export function decodeBase64Url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}
