import { DANGER_ZONE_SHARE } from './limits.ts'

/**
 * How videos are protected. A video gets the protection of the account's plan when it is created.
 */
export const PROTECTIONS = ['clearkey', 'multi-drm'] as const

export type Protection = (typeof PROTECTIONS)[number]

/** True if the operator has not ended the plan and `endsAt` is after `now`. */
export const isPlanActive = (
  plan: { isActive: boolean; endsAt: Date | null },
  now: Date,
): boolean => plan.isActive && (plan.endsAt === null || plan.endsAt > now)

/**
 * The Common Encryption scheme: `cenc` works with ClearKey in every browser, `cbcs` with all three
 * DRM systems.
 */
export type EncryptionScheme = 'cenc' | 'cbcs'

/** Returns the scheme in which videos with this protection are stored. */
export function encryptionScheme(protection: Protection): EncryptionScheme {
  return protection === 'clearkey' ? 'cenc' : 'cbcs'
}

/** The use of one limit of a plan, in the unit of the limit. */
export interface Use {
  used: number
  /** Null: not limited. */
  limit: number | null
}

/** True if the use of any limit is at least 90 %. */
export const isInDangerZone = (uses: Use[]): boolean =>
  uses.some(({ used, limit }) => limit !== null && used >= limit * DANGER_ZONE_SHARE)

/** Converts encoded milliseconds to the minutes that a plan limits, rounded to hundredths. */
export const minutesOf = (ms: number): number => Math.round(ms / 600) / 100
