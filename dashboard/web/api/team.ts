import { queryOptions } from '@tanstack/react-query'
import { answerOf, apiOf } from './client.ts'
import type { components } from './schema.ts'

export type TeamMember = components['schemas']['Member']
export type Invitation = components['schemas']['Invitation']
export type CreatedInvitation = components['schemas']['CreatedInvitation']

/** The members in the order in which they joined. */
export const membersQuery = (account: string) =>
  queryOptions({
    queryKey: ['members', account],
    queryFn: async ({ signal }) =>
      (await answerOf(apiOf(account).GET('/members', { signal }))).data,
  })

/** The invitations that can still be accepted, newest first. */
export const invitationsQuery = (account: string) =>
  queryOptions({
    queryKey: ['invitations', account],
    queryFn: async ({ signal }) =>
      (await answerOf(apiOf(account).GET('/invitations', { signal }))).data,
  })
