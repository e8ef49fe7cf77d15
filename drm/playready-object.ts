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
  const header = Buffer.from(
    '<WRMHEADER xmlns="http://schemas.microsoft.com/DRM/2007/03/PlayReadyHeader" version="4.3.0.0">' +
      `<DATA><PROTECTINFO><KIDS>${kids}</KIDS></PROTECTINFO></DATA>` +
      '</WRMHEADER>',
    'utf16le',
  )
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

/**
 * Returns the object that names the keys of all of these, in their order; null unless each is exactly what
 * `writePlayReadyObject` writes for one key.
 */
export function mergePlayReadyObjects(all: readonly Buffer[]): Buffer | null {
  const keyIds = all.map((object) => {
    const value = /<KID ALGID="AESCBC" VALUE="([^"]+)">/.exec(playReadyHeaderOf(object) ?? '')?.[1]
    return swapGuid(Buffer.from(value ?? '', 'base64'))
  })
  const areBare = all.every((object, index) => {
    const keyId = keyIds[index]
    return keyId?.length === 16 && object.equals(writePlayReadyObject(keyId))
  })
  return areBare && all.length > 0 ? writePlayReadyObject(...keyIds) : null
}
