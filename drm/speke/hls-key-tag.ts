import type { HlsKeyTag } from '../../domain/drm/drm-system.ts'
import { HLS_KEY_TAGS, type HlsPlaylist } from '../hls-key-line.ts'

/** One attribute of a tag, with its comma or the end of the line (RFC 8216, section 4.2). */
const ATTRIBUTE = /([A-Z0-9-]+)=("[^"\p{Cc}]*"|[^",\s\p{Cc}]+)(,(?=.)|$)/uy

const HEX_128 = /^0[xX]([0-9a-fA-F]{32})$/

const NAMES = new Set(['METHOD', 'URI', 'KEYFORMAT', 'KEYFORMATVERSIONS', 'KEYID', 'IV'])

/**
 * Parses the one key tag of a playlist that a provider sends. Returns null unless it is a single line with
 * METHOD=SAMPLE-AES, a URI, a KEYFORMAT and no unknown or repeated attribute.
 */
export function parseHlsKeyTag(text: string, playlist: HlsPlaylist): HlsKeyTag | null {
  const line = text.replace(/\r?\n$/, '')
  if (!line.startsWith(HLS_KEY_TAGS[playlist])) return null
  const attributes = attributesOf(line.slice(HLS_KEY_TAGS[playlist].length))
  if (attributes?.get('METHOD') !== 'SAMPLE-AES') return null
  const uri = quoted(attributes.get('URI'))
  const keyFormat = quoted(attributes.get('KEYFORMAT'))
  const keyFormatVersions = optional(attributes.get('KEYFORMATVERSIONS'), quoted)
  const keyIdHex = optional(attributes.get('KEYID'), hexOf)
  const ivHex = optional(attributes.get('IV'), hexOf)
  if (!uri || !keyFormat) return null
  if (keyFormatVersions === undefined || keyIdHex === undefined || ivHex === undefined) return null
  return { uri, keyFormat, keyFormatVersions, keyIdHex, ivHex }
}

/** Returns the attributes by name, quotes included; null if the list is malformed. */
function attributesOf(list: string): Map<string, string> | null {
  const found = new Map<string, string>()
  let end = 0
  while (end < list.length) {
    ATTRIBUTE.lastIndex = end
    const [match, name = '', value = ''] = ATTRIBUTE.exec(list) ?? []
    if (match === undefined || !NAMES.has(name) || found.has(name)) return null
    found.set(name, value)
    end += match.length
  }
  return found
}

/** Null for an attribute that is absent, undefined for one that is malformed. */
const optional = (
  value: string | undefined,
  read: (value: string | undefined) => string | undefined,
): string | null | undefined => (value === undefined ? null : read(value))

const quoted = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : /^"(.+)"$/u.exec(value)?.[1]

const hexOf = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : HEX_128.exec(value)?.[1]?.toLowerCase()
