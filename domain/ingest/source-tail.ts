/** The bytes of a file that are encrypted together (ADR 0032). */
export const PIECE_BYTES = 1 << 20

/** An object with bytes of a source that are not in a part yet. */
export interface TailObject {
  name: string
  /** The length of the encrypted source bytes at its start. Readers skip the rest, except in the last object of a tail. */
  sealedBytes: number
}

/** The bytes of a source behind its last whole part, which wait in objects of their own until more arrive. */
export interface SourceTail extends TailObject {
  /** The earlier objects of the tail, in order. */
  before?: TailObject[]
  /** How many whole pieces end in the encrypted bytes of all these objects. */
  pieces: number
  /** How many bytes of the file follow, which are no whole piece. */
  begunBytes: number
}
