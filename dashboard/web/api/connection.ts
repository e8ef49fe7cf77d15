import { queryOptions } from '@tanstack/react-query'
import { createStore } from '../store.ts'

/** True after a call got no response, until another one gets one. */
export const isServerAway = createStore(false)

/** True after the session has ended on a page that must not be left, until the member is signed in again. */
export const isSignedOut = createStore(false)

/**
 * The address of another member who has signed in in this browser, on a page that must not be left; null while the member
 * of the page is signed in.
 */
export const otherMember = createStore<string | null>(null)

/** The id of the member for whom this page was opened; null until the first response says it. */
let member: number | null = null

/** Notes for whom the page was opened. It stays so until the page is left. */
export const noteMember = (id: number): void => {
  member ??= id
}

/** Names the member of the page, so that the server refuses a request of another one's session. */
export function nameMember(request: Request): void {
  if (member !== null) request.headers.set('Reelgate-Member', String(member))
}

const HEALTH_REFRESH_MS = 5_000

/** When the server last said that it is there; 0 after it did not respond. */
let respondedAt = 0

/**
 * Asks until the server responds again; then what the page shows is loaded again. A request that fails although the server has said
 * that it is there shows its error: it would fail each time.
 */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  async queryFn({ client, signal }) {
    const failedUntil = respondedAt === 0 ? Infinity : respondedAt
    respondedAt = 0
    const { ok, status } = await fetch('/healthz', { signal })
    if (!ok) throw new TypeError(`the server responded with ${status}`)
    respondedAt = Date.now()
    void client.refetchQueries({
      type: 'active',
      predicate: ({ queryKey, state }) =>
        queryKey[0] !== 'health' && state.status === 'error' && state.errorUpdatedAt <= failedUntil,
    })
    return ok
  },
  retry: false,
  gcTime: 0,
  refetchInterval: HEALTH_REFRESH_MS,
})
