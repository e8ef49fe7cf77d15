/** Field 2 of WidevinePsshData, `key_ids`: bytes. */
const KEY_IDS = (2 << 3) | 2
/** Field 9, `protection_scheme`: the four characters of the scheme as a number. */
const PROTECTION_SCHEME = (9 << 3) | 0

/**
 * The data of a Widevine pssh box for one key and the scheme `cbcs`: the protocol buffer WidevinePsshData (Google,
 * "Widevine common encryption"; Shaka Packager writes the same two fields).
 */
export const widevineData = (keyId: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([KEY_IDS, keyId.length]),
    keyId,
    Buffer.from([PROTECTION_SCHEME, ...varint(Buffer.from('cbcs').readUInt32BE())]),
  ])

/** Seven bits a byte, the lowest first; the top bit says that more follow. */
function varint(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) + 128)
  }
}
