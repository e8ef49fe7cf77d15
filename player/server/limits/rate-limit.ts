/** How often something may happen. */
export interface Rate {
  /** How often at once, after a pause. */
  burst: number
  perSecond: number
}

/** Limits how often each key may do something. */
export interface RateLimit {
  /** Returns 0 if the key may do it now, else the milliseconds until it may. Changes nothing. */
  waitMs: (key: string, nowMs: number) => number
  /** Counts one use. */
  spend: (key: string, nowMs: number) => void
  /** True if a use of the key is remembered. */
  knows: (key: string) => boolean
}

/** Keys that are remembered; beyond them, the key that was used longest ago begins again. */
const KEYS_MAX = 50_000

/** Opens a token bucket for each key. A bucket is one number, the time at which it is full again. */
export function createRateLimit({ burst, perSecond }: Rate, keysMax = KEYS_MAX): RateLimit {
  const intervalMs = 1000 / perSecond
  const fullAtMs = new Map<string, number>()
  return {
    waitMs: (key, nowMs) =>
      Math.max(0, (fullAtMs.get(key) ?? 0) - (burst - 1) * intervalMs - nowMs),
    spend(key, nowMs) {
      const fullAt = Math.max(fullAtMs.get(key) ?? 0, nowMs) + intervalMs
      setNewest(fullAtMs, key, fullAt, keysMax)
    },
    knows: (key) => fullAtMs.has(key),
  }
}

/** Sets an entry of a map and makes it the newest; removes the oldest beyond `max` entries. */
export function setNewest<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  max: number,
): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= max) return
  for (const oldest of map.keys()) return void map.delete(oldest)
}
