/** Field 2 of WidevinePsshData, `key_ids`: bytes. */
const KEY_IDS = (2 << 3) | 2
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

const KEY_ID_BYTES = 16

/**
 * Returns the data that names the key ids of all of these, in their order; null unless each contains nothing but
 * one key id and the scheme `cbcs`, as `widevineData` writes it.
 */
export function mergeWidevineData(all: readonly Buffer[]): Buffer | null {
  const keyIds = all.map((data) => data.subarray(2, 2 + KEY_ID_BYTES))
  const areBare = all.every((data, index) => {
    const keyId = keyIds[index]
    return keyId?.length === KEY_ID_BYTES && data.equals(widevineData(keyId))
  })
  return areBare && all.length > 0 ? widevineData(...keyIds) : null
}

/** Seven bits a byte, the lowest first; the top bit says that more follow. */
function varint(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) + 128)
  }
}
