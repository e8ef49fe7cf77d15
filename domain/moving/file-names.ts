const textAt = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCodePoint(...bytes.subarray(from, from + length))

/** How many bytes of a file `videoExtension` looks at. */
export const FILE_START_BYTES = 400

const EBML = '\x1aE\xdf\xa3'
const ASF = '\x30\x26\xb2\x75'
const SYNC = 0x47
const PACKET_BYTES = 188

/** Returns the extension of a video by how its file begins; `video` if it is none of the common containers. */
export function videoExtension(start: Uint8Array): string {
  if (textAt(start, 4, 4) === 'ftyp') return textAt(start, 8, 4) === 'qt  ' ? 'mov' : 'mp4'
  const first = textAt(start, 0, 4)
  if (first === EBML) return textAt(start, 0, FILE_START_BYTES).includes('webm') ? 'webm' : 'mkv'
  if (first === 'RIFF' && textAt(start, 8, 4) === 'AVI ') return 'avi'
  if (first === 'OggS') return 'ogv'
  if (first === ASF) return 'wmv'
  if (first.startsWith('FLV')) return 'flv'
  return start[0] === SYNC && start[PACKET_BYTES] === SYNC ? 'ts' : 'video'
}

const NAME_MAX_LENGTH = 40
const HASH_LENGTH = 12

/** The name of the files of a video, without extension: the title as far as every disk takes it, and the beginning of the checksum. */
export function fileNameOf(title: string, sha256: string): string {
  const plain = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, NAME_MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase()
  return `${plain === '' ? 'video' : plain}-${sha256.slice(0, HASH_LENGTH)}`
}
