/** A part of an object that is not whole yet. */
export interface StoredPart {
  /** Names the part within its object. Used once, also by a part that was not stored or whose response was lost. */
  number: number
  sizeBytes: number
  /** As returned when it was stored. */
  etag: string
}
