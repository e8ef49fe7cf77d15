import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { scopesOf, type CallerScope } from '../../../domain/accounts/roles.ts'
import { wouldLose } from '../parts/forms/unsaved-changes.ts'
import { apiOf, unwrap } from './client.ts'
import { noteMember } from './connection.ts'
import { cursorsOf } from './cursors.ts'
import type { components } from './schema.ts'
import type { SearchCursors } from './search-cursors.ts'

/** The signed-in member: name, role in this account, and all accounts. */
export const meQuery = (account: string) =>
  queryOptions({
    queryKey: ['me', account],
    async queryFn({ signal }) {
      const me = await unwrap(apiOf(account).GET('/me', { signal }))
      noteMember(me.id)
      return me
    },
    staleTime: 300_000,
  })

export type Me = components['schemas']['Me']
export type Passkey = components['schemas']['Passkey']
export type Session = components['schemas']['Session']

export const passkeysQuery = (account: string) =>
  queryOptions({
    queryKey: ['passkeys', account],
    queryFn: async ({ signal }) =>
      (await unwrap(apiOf(account).GET('/me/passkeys', { signal }))).data,
  })

const SESSIONS_PER_PAGE = 10

/** A page of the browsers in which the member is signed in, most recently used first. */
export const sessionsQuery = (account: string, { q, ...cursors }: SearchCursors) =>
  queryOptions({
    queryKey: ['sessions', account, { q, ...cursors }],
    queryFn: ({ signal }) => {
      const query = { q, limit: SESSIONS_PER_PAGE, ...cursorsOf(cursors) }
      return unwrap(apiOf(account).GET('/me/sessions', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })

/** True for an owner of the account; the server decides anyway. */
export function useIsOwner(account: string): boolean {
  const { data: me } = useQuery(meQuery(account))
  return useHeld(me?.role === 'owner')
}

/** True for a member who runs the installation; the server decides anyway. */
export function useIsOperator(account: string): boolean {
  const { data: me } = useQuery(meQuery(account))
  return me?.is_operator === true
}

/** True if the member may change the videos of the account; the server decides anyway. */
export function useMayEdit(account: string): boolean {
  const { data: me } = useQuery(meQuery(account))
  return useHeld(me !== undefined && me.role !== 'reader')
}

/** True if the member's role in the account carries a scope; the server decides anyway. */
export function useMay(account: string, scope: CallerScope): boolean {
  const { data: me } = useQuery(meQuery(account))
  return useHeld(me !== undefined && scopesOf(me.role).includes(scope))
}

/** Keeps a right while the page would lose input, because a role that is lowered closes the form with its text. */
function useHeld(hasRight: boolean): boolean {
  const [isHeld, setHeld] = useState(hasRight)
  const isRight = hasRight || (isHeld && wouldLose())
  if (isRight !== isHeld) setHeld(isRight)
  return isRight
}
