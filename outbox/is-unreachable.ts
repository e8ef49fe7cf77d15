/** gRPC's DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED and UNAVAILABLE. */
const AWAY: readonly unknown[] = [4, 8, 14]

/** The client wraps what gRPC tells, once or twice. */
const CAUSES_MAX = 5

/** True where an error says nothing of the command but that Temporal is away or overloaded. */
export function isUnreachable(error: unknown): boolean {
  let at = error
  for (let depth = 0; at && depth < CAUSES_MAX; depth += 1) {
    const { code, cause } = at as { code?: unknown; cause?: unknown }
    if (AWAY.includes(code)) return true
    at = cause
  }
  return false
}
