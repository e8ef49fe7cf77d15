import type { EntityManager } from '../database.ts'
import { SavedView } from '../entities/member.ts'

/** A member in an account. */
export interface Membered {
  accountId: number
  memberId: number
}

/** The views of a member in an account, by name. */
export const listSavedViews = (em: EntityManager, owner: Membered): Promise<SavedView[]> =>
  em.find(SavedView, { ...owner }, { orderBy: { name: 'asc', id: 'asc' } })

/** A view of a member in an account; null if it has no such view. */
export const findSavedView = (
  em: EntityManager,
  owner: Membered,
  id: number,
): Promise<SavedView | null> => em.findOne(SavedView, { id, ...owner })
