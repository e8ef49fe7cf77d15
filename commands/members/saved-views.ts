import type { EntityManager } from '../../db/database.ts'
import type { SavedView } from '../../db/entities/member.ts'
import { findSavedView, type Membered } from '../../db/members/saved-views.ts'
import {
  deleteSavedViewRow,
  insertSavedView,
  updateSavedView,
  type SavedViewEdit,
} from '../../db/members/write-saved-views.ts'
import { SAVED_VIEWS_MAX } from '../../domain/limits.ts'
import { Refusal, refuseViolation } from '../refusal.ts'

/**
 * Saves a view of a member. Call it in a transaction. Refuses with `too_many_saved_views`, and with `saved_view_exists` for a name
 * that the member has.
 */
export async function createSavedView(
  tx: EntityManager,
  owner: Membered,
  view: Pick<SavedView, 'name' | 'search'>,
): Promise<SavedView> {
  const saved = await refuseUsedName(insertSavedView(tx, owner, view, SAVED_VIEWS_MAX))
  if (!saved) throw new Refusal('too_many_saved_views')
  return saved
}

/** Changes a view of a member. Refuses with `saved_view_exists` for a name that the member has, and with `saved_view_not_found`. */
export async function changeSavedView(
  tx: EntityManager,
  owner: Membered,
  id: number,
  edit: SavedViewEdit,
): Promise<SavedView> {
  await refuseUsedName(updateSavedView(tx, owner, id, edit))
  const view = await findSavedView(tx, owner, id)
  if (!view) throw new Refusal('saved_view_not_found')
  return view
}

/** Deletes a view of a member. Refuses with `saved_view_not_found`. */
export async function deleteSavedView(
  tx: EntityManager,
  owner: Membered,
  id: number,
): Promise<void> {
  if (!(await deleteSavedViewRow(tx, owner, id))) throw new Refusal('saved_view_not_found')
}

const refuseUsedName = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'unique', 'saved_view_exists', { field: 'name' })
