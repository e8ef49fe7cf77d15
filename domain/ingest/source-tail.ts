/** The bytes of a file that are encrypted together (ADR 0032). */
export const PIECE_BYTES = 1 << 20

/** One object with bytes of a source that no part has yet. */
export interface TailObject {
  name: string
  /** How many encrypted bytes of the source it begins with. What follows them counts only in the last object of a tail. */
  sealedBytes: number
}

/** The bytes of a source behind its last whole part, which wait in objects of their own until more arrive. */
export interface SourceTail extends TailObject {
  /** The objects whose encrypted bytes precede those of this one, in order: what is stored is not stored again. */
  before?: TailObject[]
  /** How many whole pieces end in the encrypted bytes of all of them. */
  pieces: number
  /** How many bytes of the file follow, which are no whole piece. */
  begunBytes: number
}
