const FAILURES_MAX = 5
const OPEN_MS = 10_000

/** Stops asking a server that is away, so that viewers need not wait for its deadline. */
export interface Breaker {
  /** False while the server is not asked. After a pause, one request at a time may try it again. */
  mayAsk(nowMs: number): boolean
  /** Records whether the server responded. */
  record(responded: boolean, nowMs: number): void
}

/** Creates a breaker that opens after five consecutive failures, for ten seconds. */
export function createBreaker(): Breaker {
  let failures = 0
  let opensUntilMs = 0
  return {
    mayAsk(nowMs) {
      if (failures < FAILURES_MAX) return true
      if (nowMs < opensUntilMs) return false
      opensUntilMs = nowMs + OPEN_MS
      return true
    },
    record(responded, nowMs) {
      failures = responded ? 0 : failures + 1
      if (failures >= FAILURES_MAX) opensUntilMs = nowMs + OPEN_MS
    },
  }
}
