import type { EntityManager } from '../database.ts'
import { Passkey } from '../entities/member.ts'

/** The passkeys of a member, newest first. */
export const listPasskeys = (em: EntityManager, memberId: number): Promise<Passkey[]> =>
  em.find(Passkey, { memberId }, { orderBy: { createdAt: 'desc', id: 'asc' } })

/** How many passkeys a member has. */
export const countPasskeys = (em: EntityManager, memberId: number): Promise<number> =>
  em.count(Passkey, { memberId })

/** The passkey with this credential id, or null. */
export const findPasskey = (em: EntityManager, id: string): Promise<Passkey | null> =>
  em.findOne(Passkey, { id })

/** The passkey of a member, or null. */
export const findPasskeyOf = (
  em: EntityManager,
  memberId: number,
  id: string,
): Promise<Passkey | null> => em.findOne(Passkey, { id, memberId })
