const KIB = 1024
const MIB = KIB * KIB
const MB = 1_000_000

/** A limit of bytes in the unit in which it is a whole number. */
export function sizeInWords(bytes: number): string {
  if (bytes % MIB === 0) return `${bytes / MIB} MiB`
  return bytes % KIB === 0 ? `${bytes / KIB} KiB` : `${bytes / MB} MB`
}
