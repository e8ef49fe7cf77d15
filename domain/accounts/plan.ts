import { DANGER_ZONE_SHARE } from '../limits.ts'

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
  /** Null if not limited. */
  limit: number | null
}

/** True if the use of any limit is at least 90 %. */
export const isInDangerZone = (uses: Use[]): boolean => uses.some(isNearlyUsed)

const isNearlyUsed = ({ used, limit }: Use): boolean =>
  limit !== null && used >= limit * DANGER_ZONE_SHARE

/** What a plan limits: storage now, the others in a calendar month. */
export const PLAN_LIMITS = ['storage', 'bandwidth', 'encoding'] as const

export type PlanLimit = (typeof PLAN_LIMITS)[number]

/** A limit of which at least 90 % is used, and the share; 1 is all of it. */
export interface NamedUse {
  name: PlanLimit
  share: number
}

/** The limits of which at least 90 % is used. A limit of 0 is used up. */
export const nearlyUsed = (uses: Record<PlanLimit, Use>): NamedUse[] =>
  PLAN_LIMITS.filter((name) => isNearlyUsed(uses[name])).map((name) => {
    const { used, limit } = uses[name]
    return { name, share: limit ? used / limit : 1 }
  })

/** Converts encoded milliseconds to the minutes that a plan limits, rounded to hundredths. */
export const minutesOf = (ms: number): number => Math.round(ms / 600) / 100

const MIB = 1024 * 1024

/**
 * Returns the storage that a download of unknown length reserves after it has received `bytes`: an
 * eighth more, and at least 1 MiB more. 20 GiB take about 75 reservations, and at most this share
 * is reserved unnecessarily.
 */
export const reservationFor = (bytes: number): number => bytes + Math.max(MIB, Math.ceil(bytes / 8))

/**
 * Returns the bytes that a video counts for during its ingest. A source that is kept counts in
 * addition to the renditions. Otherwise the renditions replace it, and the larger of the two
 * counts.
 */
export const countedBytes = (video: {
  keepsOriginal: boolean
  sourceBytes: number
  publishedBytes: number
}): number =>
  video.keepsOriginal
    ? video.sourceBytes + video.publishedBytes
    : Math.max(video.sourceBytes, video.publishedBytes)
