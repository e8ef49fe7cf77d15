/** The bytes of a file that are encrypted together (ADR 0032). */
export const PIECE_BYTES = 1 << 20

/** The bytes of a source behind its last whole part, which wait in an object of their own until more arrive. */
export interface SourceTail {
  /** The name of the object. */
  name: string
  /** The encrypted bytes that continue the parts; `pieces` whole pieces end in them. */
  sealedBytes: number
  pieces: number
  /** How many bytes of the file follow, which are no whole piece. */
  begunBytes: number
}
