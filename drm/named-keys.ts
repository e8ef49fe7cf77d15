import { playReadyHeaderOf, swapGuid } from './playready-object.ts'
import { readFields } from './protobuf.ts'
import { parsePssh } from './pssh.ts'
import { parseXml, type XmlElement } from './xml.ts'

/** The keys and the scheme that a piece of signalling names; `scheme` is null if it names none. */
export interface NamedKeys {
  /** 32 characters of lowercase hex each. */
  keyIdsHex: string[]
  scheme: 'cenc' | 'cbcs' | 'other' | null
}

/** Fields of WidevinePsshData (see `widevine-data.ts`), by the tags of protocol buffers. */
const KEY_IDS = 2
const PROTECTION_SCHEME = 9
const SCHEMES: Readonly<Record<number, NamedKeys['scheme']>> = {
  // 0 and absent are AES-CTR.
  0: 'cenc',
  [Buffer.from('cenc').readUInt32BE()]: 'cenc',
  [Buffer.from('cbcs').readUInt32BE()]: 'cbcs',
}

/** Reads which keys a Widevine pssh box names, in its head (version 1) and its data; null if it is malformed. */
export function widevineKeys(psshBase64: string): NamedKeys | null {
  const pssh = parsePssh(psshBase64)
  if (!pssh) return null
  const keyIdsHex = keyIdsOfHead(pssh.box)
  let scheme: NamedKeys['scheme'] = null
  const fields = readFields(pssh.data)
  if (!fields) return null
  for (const { field, value } of fields) {
    if (field === KEY_IDS && Buffer.isBuffer(value)) keyIdsHex.push(value.toString('hex'))
    if (field === PROTECTION_SCHEME && typeof value === 'number') scheme = SCHEMES[value] ?? 'other'
  }
  return { keyIdsHex, scheme }
}

/** Version 1 lists key ids before the data (ISO/IEC 23001-7, section 8.1). `parsePssh` has checked their number. */
function keyIdsOfHead(box: Buffer): string[] {
  if (box.readUInt8(8) === 0) return []
  return Array.from({ length: box.readUInt32BE(28) }, (_, index) =>
    box.toString('hex', 32 + 16 * index, 48 + 16 * index),
  )
}

/**
 * Reads which keys a PlayReady object names, in every version of its header (Microsoft, "PlayReady Header
 * Specification"); null if it is malformed.
 */
export function playReadyKeys(object: Buffer): NamedKeys | null {
  const header = playReadyHeaderOf(object)
  if (header === null) return null
  try {
    const root = parseXml(header)
    const kids = named(root, 'KID')
    const ids = kids.map(({ attributes, text }) => hexOfGuid(attributes.get('VALUE') ?? text))
    return ids.includes(null)
      ? null
      : { keyIdsHex: ids.flatMap((id) => id ?? []), scheme: schemeOf(kids, root) }
  } catch {
    return null
  }
}

function schemeOf(kids: XmlElement[], root: XmlElement): NamedKeys['scheme'] {
  const algorithms = [
    ...kids.flatMap(({ attributes }) => attributes.get('ALGID') ?? []),
    ...named(root, 'ALGID').map(({ text }) => text),
  ]
  if (algorithms.length === 0) return null
  if (algorithms.every((one) => one === 'AESCBC')) return 'cbcs'
  return algorithms.every((one) => one === 'AESCTR') ? 'cenc' : 'other'
}

/** The elements of this name at any depth. */
const named = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...named(child, name),
  ])

function hexOfGuid(base64: string): string | null {
  const guid = Buffer.from(base64, 'base64')
  return guid.length === 16 ? swapGuid(guid).toString('hex') : null
}
