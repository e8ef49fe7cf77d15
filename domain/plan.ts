/** How an account's videos are protected; decided by its plan. */
export const PROTECTIONS = ['clearkey', 'multi-drm'] as const

export type Protection = (typeof PROTECTIONS)[number]

/** True where a plan is in force at `now`: not ended by its operator, its time not over. */
export const isPlanActive = (
  plan: { isActive: boolean; endsAt: Date | null },
  now: Date,
): boolean => plan.isActive && (plan.endsAt === null || plan.endsAt > now)

/** The Common Encryption scheme: `cenc` plays under ClearKey everywhere, `cbcs` under all three DRMs. */
export type EncryptionScheme = 'cenc' | 'cbcs'

/** The one scheme in which a plan's videos are stored. */
export function encryptionScheme(protection: Protection): EncryptionScheme {
  return protection === 'clearkey' ? 'cenc' : 'cbcs'
}
