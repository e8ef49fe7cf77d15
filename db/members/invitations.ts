import type { EntityManager } from '../database.ts'
import { Invitation } from '../entities/member.ts'

/** The open invitations of an account, newest first. */
export const listInvitations = (
  em: EntityManager,
  accountId: number,
  now: Date,
): Promise<Invitation[]> =>
  em.find(
    Invitation,
    { accountId, usedAt: null, expiresAt: { $gt: now } },
    { orderBy: { id: 'desc' } },
  )

/** How many open invitations of members an account has. */
export const countInvitations = (
  em: EntityManager,
  accountId: number,
  now: Date,
): Promise<number> =>
  em.count(Invitation, { accountId, isFromOperator: false, usedAt: null, expiresAt: { $gt: now } })

/** The account's invitation, open or not; null if it is withdrawn or another account's. */
export const findInvitation = (
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<Invitation | null> => em.findOne(Invitation, { id, accountId })

/** The invitation with this hash if it can still be used; null otherwise. */
export const findOpenInvitation = (
  em: EntityManager,
  tokenHash: string,
  now: Date,
): Promise<Invitation | null> =>
  em.findOne(Invitation, { tokenHash, usedAt: null, expiresAt: { $gt: now } })
