import type { ClientNetworks } from './client-networks.ts'
import { createRateLimit, setNewest, type Rate } from './rate-limit.ts'

/** Limits what the clients of a network do. Without networks, nothing is limited. */
export interface NetworkLimit {
  /** Counts one use and returns 0, or returns the milliseconds until the networks may have one. */
  take: (networks: ClientNetworks | null) => number
  /** True for a minute after a use of the networks was refused. */
  isFlooding: (networks: ClientNetworks | null) => boolean
  /** False if no network is flooding. */
  hasFlooding: () => boolean
}

/** How many times as much a wide network may do as one of the narrow ones in it. */
const WIDE_FACTOR = 4
const FLOODING_MS = 60_000
const FLOODING_NETWORKS_MAX = 10_000

/** Opens the limit with the rate of a narrow network. */
export function createNetworkLimit({ burst, perSecond }: Rate): NetworkLimit {
  const narrow = createRateLimit({ burst, perSecond })
  const wide = createRateLimit({ burst: burst * WIDE_FACTOR, perSecond: perSecond * WIDE_FACTOR })
  const floodingUntilMs = new Map<string, number>()
  let anyUntilMs = 0
  const wasRefused = (network: string): boolean =>
    (floodingUntilMs.get(network) ?? 0) > performance.now()
  return {
    take(networks) {
      if (!networks) return 0
      const nowMs = performance.now()
      const waitsMs = {
        [networks.narrow]: narrow.waitMs(networks.narrow, nowMs),
        [networks.wide]: wide.waitMs(networks.wide, nowMs),
      }
      const refusing = Object.keys(waitsMs).filter((network) => Number(waitsMs[network]) > 0)
      if (refusing.length > 0) anyUntilMs = nowMs + FLOODING_MS
      for (const network of refusing)
        setNewest(floodingUntilMs, network, nowMs + FLOODING_MS, FLOODING_NETWORKS_MAX)
      if (refusing.length > 0) return Math.max(...Object.values(waitsMs))
      narrow.spend(networks.narrow, nowMs)
      wide.spend(networks.wide, nowMs)
      return 0
    },
    isFlooding: (networks) =>
      networks !== null && (wasRefused(networks.narrow) || wasRefused(networks.wide)),
    hasFlooding: () => anyUntilMs > performance.now(),
  }
}
