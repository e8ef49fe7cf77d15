import type { HlsKeyTag } from '../domain/drm/drm-system.ts'

/** The playlist that a tag is for, as CPIX 2.3 names it (`HLSSignalingData@playlist`). */
export type HlsPlaylist = 'media' | 'master'

/** The tags that name keys: of a media playlist, and of the master playlist (RFC 8216, sections 4.3.2.4 and 4.3.4.5). */
export const HLS_KEY_TAGS: Readonly<Record<HlsPlaylist, string>> = {
  media: '#EXT-X-KEY:',
  master: '#EXT-X-SESSION-KEY:',
}

/** Quoted strings cannot contain quotes or line breaks (RFC 8216, section 4.2). */
const NOT_QUOTABLE = /["\p{Cc}]/u

const HEX_128 = /^[0-9a-f]{32}$/

/**
 * Writes a tag from its fields; `parseHlsKeyTag` reads it back. KEYID is no attribute of RFC 8216, but players
 * look for Widevine keys by it. Throws an Error for a field that cannot be written.
 */
export function hlsKeyLine(tag: HlsKeyTag, playlist: HlsPlaylist): string {
  const { uri, keyFormat, keyFormatVersions, keyIdHex, ivHex } = tag
  const attributes = [
    'METHOD=SAMPLE-AES',
    `URI=${quoted(uri)}`,
    ...(keyIdHex === null ? [] : [`KEYID=${hexNumber(keyIdHex)}`]),
    ...(ivHex === null ? [] : [`IV=${hexNumber(ivHex)}`]),
    `KEYFORMAT=${quoted(keyFormat)}`,
    ...(keyFormatVersions === null ? [] : [`KEYFORMATVERSIONS=${quoted(keyFormatVersions)}`]),
  ]
  return HLS_KEY_TAGS[playlist] + attributes.join(',')
}

function quoted(text: string): string {
  if (text === '' || NOT_QUOTABLE.test(text)) throw new Error('an HLS key tag has a bad string')
  return `"${text}"`
}

function hexNumber(hex: string): string {
  if (!HEX_128.test(hex)) throw new Error('an HLS key tag has a bad number')
  return `0x${hex}`
}
