import { readFields } from './protobuf.ts'

/** Field 2 of WidevinePsshData, `key_ids`: bytes. */
const KEY_IDS_FIELD = 2
const KEY_IDS = (KEY_IDS_FIELD << 3) | 2
/** Field 9, `protection_scheme`: the four characters of the scheme as a number. */
const PROTECTION_SCHEME = (9 << 3) | 0

/**
 * The data of a Widevine pssh box for these keys and the scheme `cbcs`: the protocol buffer WidevinePsshData (Google,
 * "Widevine common encryption"; Shaka Packager writes the same two fields).
 */
export const widevineData = (...keyIds: Buffer[]): Buffer =>
  Buffer.concat([
    ...keyIds.flatMap((keyId) => [Buffer.from([KEY_IDS, keyId.length]), keyId]),
    Buffer.from([PROTECTION_SCHEME, ...varint(Buffer.from('cbcs').readUInt32BE())]),
  ])

/**
 * Returns the data that names the key ids of all of these, in their order; null unless each names a key, and all else in
 * them is the same, such as the provider and the id of the video.
 */
export function mergeWidevineData(all: readonly Buffer[]): Buffer | null {
  const parts = all.map(partsOf)
  const [first] = parts
  const areAlike = parts.every(
    (one) => one !== null && one.keyIds.length > 0 && first?.rest.equals(one.rest),
  )
  if (!first || !areAlike) return null
  const keyIds = new Map(
    parts.flatMap((one) => one?.keyIds ?? []).map((raw) => [raw.toString('hex'), raw]),
  )
  return Buffer.concat([...keyIds.values(), first.rest])
}

/** The fields that name keys, and all others. */
function partsOf(data: Buffer): { keyIds: Buffer[]; rest: Buffer } | null {
  const fields = readFields(data)
  if (!fields) return null
  const raw = (isKeyId: boolean): Buffer[] =>
    fields.filter(({ field }) => (field === KEY_IDS_FIELD) === isKeyId).map((one) => one.raw)
  return { keyIds: raw(true), rest: Buffer.concat(raw(false)) }
}

/** Seven bits a byte, the lowest first; the top bit says that more follow. */
function varint(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) + 128)
  }
}
