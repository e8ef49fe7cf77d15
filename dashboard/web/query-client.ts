import { QueryCache, QueryClient } from '@tanstack/react-query'
import { problemOf } from './api/problem.ts'

const RETRIES_MAX = 2

/** Leads to the sign-in, and back, when the session has ended. */
function signIn(error: unknown): void {
  if (problemOf(error).code !== 'not_signed_in') return
  const next = location.pathname + location.search
  location.assign(`/sign-in?${new URLSearchParams({ next })}`)
}

/** Faults of the server and the network may pass; the others would only repeat. */
const mayPass = (error: unknown): boolean => {
  const { status } = problemOf(error)
  return status === 0 || status >= 500
}

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: signIn }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < RETRIES_MAX && mayPass(error),
      },
    },
  })
