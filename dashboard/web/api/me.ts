import { queryOptions, useQuery } from '@tanstack/react-query'
import { scopesOf } from '../../../domain/roles.ts'
import type { CallerScope } from '../../../domain/roles.ts'
import { answerOf, apiOf } from './client.ts'

/** The signed-in member: name, role in this account, and all accounts. */
export const meQuery = (account: string) =>
  queryOptions({
    queryKey: ['me', account],
    queryFn: ({ signal }) => answerOf(apiOf(account).GET('/me', { signal })),
    staleTime: 300_000,
  })

/** True if the member may change the videos of the account; the server decides anyway. */
export function useMayEdit(account: string): boolean {
  const { data: me } = useQuery(meQuery(account))
  return me !== undefined && me.role !== 'reader'
}

/** True if the member's role in the account carries a scope; the server decides anyway. */
export function useMay(account: string, scope: CallerScope): boolean {
  const { data: me } = useQuery(meQuery(account))
  return me !== undefined && scopesOf(me.role).includes(scope)
}
