import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap } from './client.ts'
import { cursorsOf, type Cursors } from './cursors.ts'
import type { components } from './schema.ts'

export type ApiKey = components['schemas']['ApiKey']

const PAGE_LENGTH = 25
const REFRESH_MS = 60_000

/** A page of the API keys, newest first, the revoked ones included. */
export const keysQuery = (account: string, cursors: Cursors) =>
  queryOptions({
    queryKey: ['keys', account, cursors],
    queryFn: ({ signal }) => {
      const query = { limit: PAGE_LENGTH, ...cursorsOf(cursors) }
      return unwrap(apiOf(account).GET('/keys', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

/** The addresses that code samples contain. */
export const addressesQuery = (account: string) =>
  queryOptions({
    queryKey: ['addresses', account],
    queryFn: ({ signal }) => unwrap(apiOf(account).GET('/addresses', { signal })),
    staleTime: Infinity,
  })
