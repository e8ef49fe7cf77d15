import type { SavedSearch } from '../../domain/videos/saved-search.ts'
import { lockAccount } from '../accounts/accounts.ts'
import type { EntityManager } from '../database.ts'
import { SavedView } from '../entities/member.ts'
import { given } from '../page.ts'
import { asJson, queries } from '../queries.ts'
import type { Membered } from './saved-views.ts'

/** What a member changes of a view. Absent parts stay. */
export interface SavedViewEdit {
  name?: string | undefined
  search?: SavedSearch | undefined
}

/**
 * Adds a view and returns it; null if the member has `most` of them in the account. Locks the account's row: see `lockAccount`.
 * Fails (`unique`) for a name that the member has.
 */
export async function insertSavedView(
  em: EntityManager,
  owner: Membered,
  { name, search }: Pick<SavedView, 'name' | 'search'>,
  most: number,
): Promise<SavedView | null> {
  await lockAccount(em, owner.accountId)
  if ((await em.count(SavedView, { ...owner })) >= most) return null
  return queries(em)
    .insertInto('saved_view')
    .values({ ...owner, name, search: asJson(search) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes a view of a member. Does nothing if the member has no such view. Fails (`unique`) for a name that the member has. */
export async function updateSavedView(
  em: EntityManager,
  { accountId, memberId }: Membered,
  id: number,
  { name, search }: SavedViewEdit,
): Promise<void> {
  await queries(em)
    .updateTable('saved_view')
    .set({ ...given({ name }), ...(search && { search: asJson(search) }), updatedAt: new Date() })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('memberId', '=', memberId)
    .execute()
}

/** Deletes a view of a member. False if the member has no such view. */
export const deleteSavedViewRow = async (
  em: EntityManager,
  owner: Membered,
  id: number,
): Promise<boolean> => (await em.nativeDelete(SavedView, { id, ...owner })) > 0
