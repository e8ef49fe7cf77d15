import type { Request, Response } from 'express'
import type { Logger } from 'pino'
import { ANONYMOUS_LIMITS } from '../../../domain/limits.ts'
import type { PlaybackSession } from '../../../domain/playback/playback-session.ts'
import { limitedRequests, type LimitName } from '../../../metrics/playback.ts'
import { PlayerError } from '../player-error.ts'
import { clientNetworksOf, type ClientNetworks } from './client-networks.ts'
import { createNetworkLimit, type NetworkLimit } from './network-limit.ts'
import { createRateLimit, type Rate } from './rate-limit.ts'

/** The rates of `ANONYMOUS_LIMITS`. */
export type AnonymousRates = Record<keyof typeof ANONYMOUS_LIMITS, Rate>

/** Limits what requests without a valid viewer token make this process write. */
export interface AnonymousLimits {
  networksOf: (request: Request) => ClientNetworks | null
  /** Names where the requests of a verified viewer, or without one of a network, come from. */
  originOf: (viewerId: string | null, request: Request) => string
  refusals: NetworkLimit
  /** Counts what a session without a viewer is about to write. Throws 429 `too_many_requests` if it is too much. */
  takeWrite: (
    session: Pick<PlaybackSession, 'sessionId'>,
    request: Request,
    response: Response,
  ) => void
}

/** Opens the limits; `anonymousRates` replaces some of them. */
export function createAnonymousLimits({
  trustedProxies,
  anonymousRates,
  logger,
}: {
  trustedProxies: number
  anonymousRates?: Partial<AnonymousRates> | undefined
  logger: Logger
}): AnonymousLimits {
  const { refusals, sessions, sessionWrites } = { ...ANONYMOUS_LIMITS, ...anonymousRates }
  const newSessions = createNetworkLimit(sessions)
  const writes = createRateLimit(sessionWrites)
  let hasWarned = false
  const networksOf = (request: Request): ClientNetworks | null => {
    const networks = clientNetworksOf(request, trustedProxies)
    if (networks || hasWarned) return networks
    hasWarned = true
    logger.warn('a proxy is in front, but TRUSTED_PROXIES is 0: floods of networks are not limited')
    return null
  }
  return {
    networksOf,
    originOf: (viewerId, request) =>
      viewerId === null ? `network ${networksOf(request)?.narrow}` : `viewer ${viewerId}`,
    refusals: createNetworkLimit(refusals),
    takeWrite({ sessionId }, request, response) {
      const nowMs = performance.now()
      const isKnown = writes.knows(sessionId)
      const waitMs = isKnown
        ? writes.waitMs(sessionId, nowMs)
        : newSessions.take(networksOf(request))
      const limit = isKnown ? 'session_writes' : 'sessions'
      if (waitMs > 0) throw tooManyRequests(response, limit, waitMs)
      writes.spend(sessionId, nowMs)
    },
  }
}

/** Counts a request that is limited, sets its Retry-After and returns its error. */
export function tooManyRequests(response: Response, limit: LimitName, waitMs = 0): PlayerError {
  limitedRequests.inc({ limit })
  response.set('Retry-After', retryAfterSeconds(waitMs))
  return new PlayerError(429, 'too_many_requests', 'Too many requests. Try again later.')
}

/** The value of a Retry-After header. */
export const retryAfterSeconds = (waitMs: number): string =>
  String(Math.max(1, Math.ceil(waitMs / 1000)))
