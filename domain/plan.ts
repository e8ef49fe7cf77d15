/** How an account's videos are protected; decided by its plan. */
export type Protection = 'clearkey' | 'multi-drm'

/** The Common Encryption scheme: `cenc` plays under ClearKey everywhere, `cbcs` under all three DRMs. */
export type EncryptionScheme = 'cenc' | 'cbcs'

/** The one scheme in which a plan's videos are stored. */
export function encryptionScheme(protection: Protection): EncryptionScheme {
  return protection === 'clearkey' ? 'cenc' : 'cbcs'
}
