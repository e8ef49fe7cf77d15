/**
 * The PlayReady object ("PRO"): length and number of records, then records of type, length and value, all
 * little-endian (Microsoft, "PlayReady Header Object").
 */
const HEAD_BYTES = 6
const RECORD_HEAD_BYTES = 4
const RIGHTS_MANAGEMENT_HEADER = 1

/** Returns the header (XML) of a PlayReady object; null if the bytes are not one with exactly one header. */
export function playReadyHeaderOf(object: Buffer): string | null {
  if (object.length < HEAD_BYTES || object.readUInt32LE(0) !== object.length) return null
  const headers: string[] = []
  let at = HEAD_BYTES
  for (let left = object.readUInt16LE(4); left > 0; left -= 1) {
    if (at + RECORD_HEAD_BYTES > object.length) return null
    const type = object.readUInt16LE(at)
    const end = at + RECORD_HEAD_BYTES + object.readUInt16LE(at + 2)
    if (end > object.length) return null
    if (type === RIGHTS_MANAGEMENT_HEADER)
      headers.push(object.toString('utf16le', at + RECORD_HEAD_BYTES, end))
    at = end
  }
  const [header] = headers
  return at === object.length && headers.length === 1 && header?.startsWith('<WRMHEADER')
    ? header
    : null
}

/**
 * Writes the PlayReady object of these keys for `cbcs`: header 4.3, whose key ids are GUIDs, so that the first
 * three of their fields are little-endian (Microsoft, "PlayReady Header Specification").
 */
export function writePlayReadyObject(...keyIds: Buffer[]): Buffer {
  const kids = keyIds
    .map((keyId) => `<KID ALGID="AESCBC" VALUE="${swapGuid(keyId).toString('base64')}"></KID>`)
    .join('')
  return objectOf(
    '<WRMHEADER xmlns="http://schemas.microsoft.com/DRM/2007/03/PlayReadyHeader" version="4.3.0.0">' +
      `<DATA><PROTECTINFO><KIDS>${kids}</KIDS></PROTECTINFO></DATA>` +
      '</WRMHEADER>',
  )
}

/** Writes the object with this header alone. */
function objectOf(text: string): Buffer {
  const header = Buffer.from(text, 'utf16le')
  const head = Buffer.alloc(HEAD_BYTES + RECORD_HEAD_BYTES)
  head.writeUInt32LE(head.length + header.length, 0)
  head.writeUInt16LE(1, 4)
  head.writeUInt16LE(RIGHTS_MANAGEMENT_HEADER, 6)
  head.writeUInt16LE(header.length, 8)
  return Buffer.concat([head, header])
}

/** Turns a key id into a GUID, or back: the first three fields of a GUID are little-endian. */
export function swapGuid(keyId: Buffer): Buffer {
  const guid = Buffer.from(keyId)
  guid.subarray(0, 4).reverse()
  guid.subarray(4, 6).reverse()
  guid.subarray(6, 8).reverse()
  return guid
}

/** A header with a list of keys, which versions 4.2 and 4.3 have: what is before the keys, the keys, and what follows. */
const WITH_KEYS =
  /^(<WRMHEADER\b[^>]*\sversion="4\.[23]\.0\.0"[^>]*>.*<KIDS>)((?:\s*<KID\s[^<>]*(?:\/>|>\s*<\/KID>))+)(\s*<\/KIDS>.*)$/s

/**
 * Returns the object that names the keys of all of these, in their order; null unless each has a list of keys, and all
 * else in them is the same, such as the address for licences.
 */
export function mergePlayReadyObjects(all: readonly Buffer[]): Buffer | null {
  const parts = all.map((object) => {
    const header = playReadyHeaderOf(object) ?? ''
    // Another record, such as one for stored licences, belongs to one key.
    return objectOf(header).equals(object) ? WITH_KEYS.exec(header) : null
  })
  const [first] = parts
  if (!first || !parts.every((one) => one?.[1] === first[1] && one?.[3] === first[3])) return null
  const keys = new Set(parts.map((one) => one?.[2]))
  return objectOf([first[1], ...keys, first[3]].join(''))
}
