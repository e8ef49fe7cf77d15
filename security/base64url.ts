/**
 * Decodes base64url text without padding; returns null unless the text is the canonical encoding of
 * its bytes. Node's decoder skips other characters and ignores the spare bits of the last one.
 */
export function decodeBase64Url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}
