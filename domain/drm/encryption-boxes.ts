/** How an init segment says that its one track is encrypted (ISO/IEC 23001-7, sections 8 and 11). */
export interface EncryptionBoxes {
  /** `schm`: `cenc` or `cbcs`. */
  scheme: string
  /** `tenc`: 32 characters of lowercase hex. */
  keyIdHex: string
  isProtected: boolean
  /** The pattern, in blocks of 16 bytes: 1 and 9 for video in `cbcs`, 0 and 0 without a pattern. */
  encryptedBlocks: number
  clearBlocks: number
  /** 0 with a constant IV. */
  perSampleIvBytes: number
  constantIvHex: string | null
  /** The whole boxes in `moov`, in their order. */
  psshBase64: string[]
}
