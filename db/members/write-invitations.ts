import type { EntityManager } from '../database.ts'
import { Invitation } from '../entities/member.ts'

type NewInvitation = Omit<Invitation, 'id' | 'createdAt'>

/** Stores an invitation; returns its row. */
export async function insertInvitation(
  em: EntityManager,
  facts: NewInvitation,
): Promise<Invitation> {
  const invitation = em.create(Invitation, facts)
  await em.persist(invitation).flush()
  return invitation
}

/** Deletes the open invitations of an account that a member made; returns them. */
export async function deleteInvitationsBy(
  em: EntityManager,
  accountId: number,
  invitedBy: string,
): Promise<Invitation[]> {
  const open = { accountId, invitedBy, isFromOperator: false, usedAt: null }
  const found = await em.find(Invitation, open, { orderBy: { id: 'asc' } })
  await em.nativeDelete(Invitation, open)
  return found
}

/** Marks an invitation as used. False if it is used already: of two simultaneous readers one gets it. */
export const useInvitation = async (em: EntityManager, id: number, now: Date): Promise<boolean> =>
  (await em.nativeUpdate(Invitation, { id, usedAt: null }, { usedAt: now })) > 0

/** Deletes an open invitation of an account. False if there is none. */
export const deleteInvitation = async (
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<boolean> => (await em.nativeDelete(Invitation, { id, accountId, usedAt: null })) > 0
