import { HEARTBEAT_SECONDS } from '../playback/concurrent-plays.ts'
import type { TrackType } from '../videos/rendition.ts'

/** How strictly licences protect the output of HD and UHD: not, where the device can (best effort), or always. */
export const OUTPUT_PROTECTIONS = ['none', 'best-effort', 'required'] as const

export type OutputProtection = (typeof OUTPUT_PROTECTIONS)[number]

/** What the licences of a Multi-DRM plan allow. A licence is never persistent: there is no setting for it. */
export interface LicencePolicy {
  /** HD or UHD only on devices that decrypt and decode in hardware. */
  hdNeedsHardware: boolean
  uhdNeedsHardware: boolean
  outputProtection: OutputProtection
  /** How long a licence is valid. */
  licenceSeconds: number
  /** When players renew a licence, counted from its start; null: never. */
  renewalSeconds: number | null
}

/** A licence lasts from a minute to a day, the lifetime of a playback session. */
const LICENCE_SECONDS_MIN = 60
const LICENCE_SECONDS_MAX = 86_400
/** A player that renews more often would only cost licences. */
const RENEWAL_SECONDS_MIN = 30

/** The policy of a plan until the operator changes it. */
export const DEFAULT_LICENCE_POLICY: LicencePolicy = {
  hdNeedsHardware: false,
  uhdNeedsHardware: false,
  outputProtection: 'none',
  licenceSeconds: LICENCE_SECONDS_MAX,
  renewalSeconds: null,
}

/** Licences of accounts with a limit last two heartbeats: a client without a lease plays on no longer. */
const LEASED_LICENCE_SECONDS = 2 * HEARTBEAT_SECONDS

/**
 * Returns the policy of licences for an account that limits concurrent plays: short, and renewed halfway. A
 * policy with shorter times keeps them.
 */
export function leasedPolicy(policy: LicencePolicy): LicencePolicy {
  const licenceSeconds = Math.min(policy.licenceSeconds, LEASED_LICENCE_SECONDS)
  const halfwaySeconds = Math.floor(licenceSeconds / 2)
  const renewalSeconds = Math.min(policy.renewalSeconds ?? halfwaySeconds, halfwaySeconds)
  return { ...policy, licenceSeconds, renewalSeconds }
}

/** What a licence demands of the device before one key may be used. */
export interface KeyDemands {
  hardware: boolean
  /** HDCP of the output: `attempt` if it is possible, `type0` any version, `type1` 2.2 or newer. */
  hdcp: 'none' | 'attempt' | 'type0' | 'type1'
}

/** Track types by size. */
const BY_SIZE: readonly TrackType[] = ['AUDIO', 'SD', 'HD', 'UHD']

/** Returns the largest of these track types, at least one. */
export const largestTrack = (trackTypes: readonly TrackType[]): TrackType =>
  BY_SIZE.filter((one) => trackTypes.includes(one)).at(-1) ?? 'UHD'

/**
 * Returns what a licence demands for a key that opens these tracks: the strictest of their demands. Audio and
 * SD demand nothing themselves, so they play everywhere unless they share their key with a larger track.
 */
export function demandsOf(trackTypes: readonly TrackType[], policy: LicencePolicy): KeyDemands {
  const [hd, uhd] = [trackTypes.includes('HD'), trackTypes.includes('UHD')]
  return {
    hardware: (hd && policy.hdNeedsHardware) || (uhd && policy.uhdNeedsHardware),
    hdcp: hdcpOf({ hd, uhd }, policy.outputProtection),
  }
}

function hdcpOf(
  { hd, uhd }: { hd: boolean; uhd: boolean },
  protection: OutputProtection,
): KeyDemands['hdcp'] {
  if (protection === 'none' || !(hd || uhd)) return 'none'
  if (protection === 'best-effort') return 'attempt'
  return uhd ? 'type1' : 'type0'
}

/** Why a policy is not valid, for the operator; null if it is. */
export function policyFault({ licenceSeconds, renewalSeconds }: LicencePolicy): string | null {
  if (licenceSeconds < LICENCE_SECONDS_MIN || licenceSeconds > LICENCE_SECONDS_MAX)
    return `A licence lasts ${LICENCE_SECONDS_MIN} to ${LICENCE_SECONDS_MAX} seconds.`
  if (renewalSeconds === null) return null
  if (renewalSeconds < RENEWAL_SECONDS_MIN)
    return `A licence is renewed after at least ${RENEWAL_SECONDS_MIN} seconds.`
  return renewalSeconds < licenceSeconds ? null : 'A licence is renewed before it ends.'
}
