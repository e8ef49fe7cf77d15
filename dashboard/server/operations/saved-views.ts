import { z } from 'zod'
import {
  changeSavedView,
  createSavedView,
  deleteSavedView,
} from '../../../commands/members/saved-views.ts'
import { listSavedViews, type Membered } from '../../../db/members/saved-views.ts'
import {
  METADATA_VALUE_MAX_LENGTH,
  SAVED_VIEW_NAME_MAX_LENGTH,
  SAVED_VIEWS_MAX,
  TAG_MAX_LENGTH,
} from '../../../domain/limits.ts'
import type { Caller } from '../../../http/caller.ts'
import { rowIdParameter } from '../../../http/list.ts'
import { operation } from '../../../http/operation.ts'
import { text } from '../../../http/text.ts'
import { wholeListView } from '../../../views/list.ts'
import {
  deletedSavedViewSchema,
  savedSearch,
  savedViewListSchema,
  savedViewSchema,
  savedViewView,
} from '../../../views/members/saved-view.ts'
import { memberOf } from '../auth/member-caller.ts'
import { SCOPE, TAG } from './me.ts'

const PATH = '/me/saved-views'

const name = text({ maxLength: SAVED_VIEW_NAME_MAX_LENGTH, example: 'Drafts of autumn' })

/** The longest choice is a tag, and the longest text a value of metadata. */
const search = savedSearch(
  text({ maxLength: TAG_MAX_LENGTH }),
  text({ maxLength: METADATA_VALUE_MAX_LENGTH }),
)

const params = { id: rowIdParameter('saved_view_not_found') }

const ownerOf = (accountId: number, caller: Caller): Membered => ({
  accountId,
  memberId: memberOf(caller).session.memberId,
})

const list = operation({
  id: 'listSavedViews',
  method: 'get',
  path: PATH,
  tag: TAG,
  summary: 'List the own saved views of the videos of this account, by name',
  scope: SCOPE,
  status: 200,
  response: savedViewListSchema,
  async handle({ deps, accountId, caller }) {
    const views = await listSavedViews(deps.db.em.fork(), ownerOf(accountId, caller))
    return wholeListView(views, savedViewView, `/api/accounts/${accountId}${PATH}`)
  },
})

const create = operation({
  id: 'createSavedView',
  method: 'post',
  path: PATH,
  tag: TAG,
  summary: 'Save filters and order of the list of videos under a name',
  description: `Only the member sees it. At most ${SAVED_VIEWS_MAX} in an account.`,
  scope: SCOPE,
  body: z.strictObject({ name, search }),
  status: 201,
  response: savedViewSchema,
  errors: ['saved_view_exists', 'too_many_saved_views'],
  // A personal choice, as those that the browser keeps: it changes nothing of the account.
  audit: null,
  handle: ({ accountId, caller, body, commit }) =>
    commit(async (tx) =>
      savedViewView(await createSavedView(tx, ownerOf(accountId, caller), body)),
    ),
})

const update = operation({
  id: 'updateSavedView',
  method: 'patch',
  path: `${PATH}/{id}`,
  tag: TAG,
  summary: 'Rename an own saved view, or save other filters in it',
  scope: SCOPE,
  params,
  body: z.strictObject({ name: name.optional(), search: search.optional() }),
  status: 200,
  response: savedViewSchema,
  errors: ['saved_view_exists'],
  // As `createSavedView`.
  audit: null,
  handle: ({ accountId, caller, params: { id }, body, commit }) =>
    commit(async (tx) =>
      savedViewView(await changeSavedView(tx, ownerOf(accountId, caller), id, body)),
    ),
})

const remove = operation({
  id: 'deleteSavedView',
  method: 'delete',
  path: `${PATH}/{id}`,
  tag: TAG,
  summary: 'Delete an own saved view',
  scope: SCOPE,
  params,
  status: 200,
  response: deletedSavedViewSchema,
  // As `createSavedView`.
  audit: null,
  handle: ({ accountId, caller, params: { id }, commit }) =>
    commit(async (tx) => {
      await deleteSavedView(tx, ownerOf(accountId, caller), id)
      return { id, object: 'saved_view', deleted: true }
    }),
})

/** What members keep of the list of videos for themselves. */
export const savedViewOperations = [list, create, update, remove]
