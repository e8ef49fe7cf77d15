import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isServerAway, isSignedOut, otherMember } from './api/connection.ts'
import { OTHER_MEMBER, problemOf, UNREACHABLE } from './api/problem.ts'
import { wouldLose } from './parts/forms/unsaved-changes.ts'
import { signInPath } from './sign-in-path.ts'

const RETRIES_MAX = 2

/** What proxies respond with when the server behind them does not. */
const GATEWAY_STATUSES: readonly number[] = [502, 503, 504]

function noteResponse(): void {
  isServerAway.set(false)
  isSignedOut.set(false)
  otherMember.set(null)
}

/**
 * Leads to the sign-in, and back, when the session has ended, and out of an account that is closed to the member by now;
 * loads the page for another member who has signed in. `mustStay` if input would be lost.
 */
function noteProblem(error: unknown, mustStay: boolean): void {
  const { code, status, signedInAs } = problemOf(error)
  isServerAway.set(code === UNREACHABLE || GATEWAY_STATUSES.includes(status))
  if (code === 'account_not_found' && !mustStay) location.assign('/')
  if (code === OTHER_MEMBER) {
    if (mustStay) otherMember.set(signedInAs)
    else location.reload()
  }
  if (code !== 'not_signed_in') return
  if (mustStay) isSignedOut.set(true)
  else location.assign(signInPath())
}

/** True while leaving the page could lose input: dialogs have forms, and lists behind them are refreshed. */
const holdsInput = (): boolean => wouldLose() || document.querySelector('[role=dialog]') !== null

/** Faults of the server and the network may pass; the others would only repeat. */
const mayPass = (error: unknown): boolean => {
  const { status } = problemOf(error)
  return status === 0 || status >= 500
}

export function createQueryClient(): QueryClient {
  // A role that has changed takes effect on the controls that the page shows.
  const noteRole = (error: unknown): void => {
    if (problemOf(error).code === 'insufficient_role')
      void client.invalidateQueries({ queryKey: ['me'] })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({
      onSuccess: noteResponse,
      onError(error) {
        noteProblem(error, holdsInput() || isSignedOut.get() || otherMember.get() !== null)
        noteRole(error)
      },
    }),
    mutationCache: new MutationCache({
      onSuccess: noteResponse,
      onError(error) {
        noteProblem(error, true)
        noteRole(error)
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < RETRIES_MAX && mayPass(error),
        // Without the Internet, a server in the local network still responds.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
