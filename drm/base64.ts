/** Decodes base64, in which XML documents may have white space. Returns null if it is malformed or empty. */
export function decodeBase64(text: string): Buffer | null {
  const compact = text.replaceAll(/[ \t\r\n]/g, '')
  const isBase64 = compact.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(compact)
  return isBase64 ? Buffer.from(compact, 'base64') : null
}

/** True for a text of base64 alone, as a provider sends it in place of bytes: with white space anywhere, also behind its padding. */
export const isBase64Text = (text: string): boolean =>
  /^[A-Za-z0-9+/\s]+={0,2}$/.test(text.trimEnd())
