import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap } from './client.ts'
import { cursorsOf } from './cursors.ts'
import type { components } from './schema.ts'
import type { SearchCursors } from './search-cursors.ts'

export type TeamMember = components['schemas']['Member']
export type Invitation = components['schemas']['Invitation']
export type CreatedInvitation = components['schemas']['CreatedInvitation']

const PAGE_LENGTH = 25

/** A page of the members in the order in which they joined. */
export const membersQuery = (
  account: string,
  { q, ...cursors }: SearchCursors = {},
  limit = PAGE_LENGTH,
) =>
  queryOptions({
    queryKey: ['members', account, { q, ...cursors, limit }],
    queryFn: ({ signal }) => {
      const query = { q, limit, ...cursorsOf(cursors) }
      return unwrap(apiOf(account).GET('/members', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })

/** The invitations that can still be accepted, newest first. */
export const invitationsQuery = (account: string) =>
  queryOptions({
    queryKey: ['invitations', account],
    queryFn: async ({ signal }) =>
      (await unwrap(apiOf(account).GET('/invitations', { signal }))).data,
  })
