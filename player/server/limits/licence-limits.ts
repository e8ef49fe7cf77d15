import { LICENCE_LIMITS } from '../../../domain/limits.ts'
import type { PlaybackSession } from '../../../domain/playback/playback-session.ts'
import type { LimitName } from '../../../metrics/playback.ts'
import type { ClientNetworks } from './client-networks.ts'
import { createNetworkLimit } from './network-limit.ts'
import { createRateLimit, type Rate } from './rate-limit.ts'

/** The rates of `LICENCE_LIMITS`. */
export type LicenceRates = Record<keyof typeof LICENCE_LIMITS, Rate>

/** A limit that refuses a licence request, and the time until it allows one. */
interface Refusal {
  limit: Extract<LimitName, `${string}_licences`>
  waitMs: number
}

/** Limits how many licence requests this process accepts. */
export interface LicenceLimits {
  /** Counts a request and returns null, or returns the limit that refuses it. A refused request spends nothing. */
  take: (session: Licensee, networks: ClientNetworks | null, isPaid: boolean) => Refusal | null
}

type Licensee = Pick<PlaybackSession, 'sessionId' | 'accountId' | 'viewerId'>

/**
 * Opens the limits; `rates` replaces some of them. Each key contains the account, so that nothing that is done to the
 * videos of one account spends the share of another. Sessions without a viewer, which anybody can open, spend no share of
 * viewers either.
 */
export function createLicenceLimits(rates: Partial<LicenceRates> = {}): LicenceLimits {
  const { session, network, account } = { ...LICENCE_LIMITS, ...rates }
  const sessions = createRateLimit(session)
  const networkLimit = createNetworkLimit(network)
  const accounts = createRateLimit(account)
  return {
    take({ sessionId, accountId, viewerId }, networks, isPaid) {
      const nowMs = performance.now()
      const sessionWaitMs = sessions.waitMs(sessionId, nowMs)
      if (sessionWaitMs > 0) return { limit: 'session_licences', waitMs: sessionWaitMs }
      if (isPaid) {
        const share = `${accountId} ${viewerId === null ? 'visitors' : 'viewers'}`
        const accountWaitMs = accounts.waitMs(share, nowMs)
        if (accountWaitMs > 0) return { limit: 'account_licences', waitMs: accountWaitMs }
        const networkWaitMs = networkLimit.take(networks && within(networks, accountId, viewerId))
        if (networkWaitMs > 0) return { limit: 'network_licences', waitMs: networkWaitMs }
        accounts.spend(share, nowMs)
      }
      sessions.spend(sessionId, nowMs)
      return null
    },
  }
}

/** The networks as keys of an account, and of its viewer if the session has one. */
function within(
  { narrow, wide }: ClientNetworks,
  accountId: number,
  viewerId: string | null,
): ClientNetworks {
  const owner = JSON.stringify([accountId, viewerId])
  return { narrow: owner + narrow, wide: owner + wide }
}
