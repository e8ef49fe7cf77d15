import { z } from 'zod'
import {
  addPasskey,
  removePasskey,
  renamePasskey,
  usePasskey,
} from '../../../commands/members/passkeys.ts'
import { elevateSession } from '../../../commands/members/sessions.ts'
import { listPasskeys } from '../../../db/members/passkeys.ts'
import { LABEL_MAX_LENGTH, PASSKEY_BODY_MAX_BYTES } from '../../../domain/limits.ts'
import { ApiError } from '../../../http/api-error.ts'
import { operation } from '../../../http/operation.ts'
import { text } from '../../../http/text.ts'
import { wholeListView } from '../../../views/list.ts'
import { elevationSchema, elevationView } from '../../../views/members/me.ts'
import {
  deletedPasskeySchema,
  passkeyChallengeSchema,
  passkeyId,
  passkeyListSchema,
  passkeySchema,
  passkeyView,
} from '../../../views/members/passkey.ts'
import { memberOf } from '../auth/member-caller.ts'
import { authenticationResponse, registrationResponse } from '../auth/passkey-responses.ts'
import { SCOPE, TAG } from './me.ts'

const listMyPasskeys = operation({
  id: 'listMyPasskeys',
  method: 'get',
  path: '/me/passkeys',
  tag: TAG,
  summary: 'List the own passkeys, newest first',
  scope: SCOPE,
  status: 200,
  response: passkeyListSchema,
  async handle({ deps, accountId, caller }) {
    const passkeys = await listPasskeys(deps.db.em.fork(), memberOf(caller).session.memberId)
    return wholeListView(passkeys, passkeyView, `/api/accounts/${accountId}/me/passkeys`)
  },
})

const startPasskey = operation({
  id: 'startPasskey',
  method: 'post',
  path: '/me/passkeys/challenge',
  tag: TAG,
  summary: 'Get what the browser needs to make a passkey',
  scope: SCOPE,
  isElevated: true,
  status: 200,
  response: passkeyChallengeSchema,
  audit: null,
  async handle({ caller }) {
    const { passkeys, session } = memberOf(caller)
    return passkeys.challengeToAdd(session)
  },
})

const createPasskey = operation({
  id: 'createPasskey',
  method: 'post',
  path: '/me/passkeys',
  tag: TAG,
  summary: 'Add a passkey that the browser has made',
  scope: SCOPE,
  changesRights: 'of-member',
  isElevated: true,
  body: registrationResponse.extend({ name: text({ maxLength: LABEL_MAX_LENGTH }) }).strict(),
  bodyMaxBytes: PASSKEY_BODY_MAX_BYTES,
  status: 201,
  response: passkeySchema,
  // The handler writes to the log of every account of the member.
  audit: null,
  async handle({ caller, body, commit }) {
    const me = memberOf(caller)
    const { name, ...response } = body
    const credential = await me.passkeys.checkNew(me.session.id, response)
    return commit(async (tx) =>
      passkeyView(await addPasskey(tx, me.member, { ...credential, name })),
    )
  },
})

const params = { id: { schema: passkeyId, notFound: 'passkey_not_found' } } as const

const renameMyPasskey = operation({
  id: 'renamePasskey',
  method: 'patch',
  path: '/me/passkeys/{id}',
  tag: TAG,
  summary: 'Rename one of the own passkeys',
  scope: SCOPE,
  changesRights: 'of-member',
  isElevated: true,
  params,
  body: z.strictObject({ name: text({ maxLength: LABEL_MAX_LENGTH }) }),
  status: 200,
  response: passkeySchema,
  // The handler writes to the log of every account of the member.
  audit: null,
  handle: ({ caller, params: { id }, body: { name }, commit }) =>
    commit(async (tx) =>
      passkeyView(await renamePasskey(tx, memberOf(caller).member, { id, name })),
    ),
})

const deleteMyPasskey = operation({
  id: 'deletePasskey',
  method: 'delete',
  path: '/me/passkeys/{id}',
  tag: TAG,
  summary: 'Remove one of the own passkeys',
  scope: SCOPE,
  changesRights: 'of-member',
  isElevated: true,
  params,
  status: 200,
  response: deletedPasskeySchema,
  // The handler writes to the log of every account of the member.
  audit: null,
  handle: ({ caller, params, commit }) =>
    commit(async (tx) => {
      await removePasskey(tx, memberOf(caller).member, params.id)
      return { id: params.id, object: 'passkey', deleted: true }
    }),
})

const startConfirmation = operation({
  id: 'startConfirmation',
  method: 'post',
  path: '/me/elevation/challenge',
  tag: TAG,
  summary: 'Get what the browser needs to confirm with a passkey',
  scope: SCOPE,
  status: 200,
  response: passkeyChallengeSchema,
  audit: null,
  async handle({ caller }) {
    const { passkeys, session } = memberOf(caller)
    return passkeys.challengeToUse(session.id, session.memberId)
  },
})

const confirmWithPasskey = operation({
  id: 'confirmWithPasskey',
  method: 'post',
  path: '/me/elevation/passkey',
  tag: TAG,
  summary: 'Confirm with a passkey, for operations that require fresh authentication',
  description: 'Replaces the cookie of the session.',
  scope: SCOPE,
  changesRights: 'of-member',
  body: authenticationResponse.strict(),
  // A repeated response would not carry the new cookie.
  takesSecret: true,
  bodyMaxBytes: PASSKEY_BODY_MAX_BYTES,
  status: 200,
  response: elevationSchema,
  errors: ['wrong_credentials', 'passkey_not_found'],
  audit: null,
  async handle({ caller, body, commit }) {
    const me = memberOf(caller)
    const used = await me.passkeys.checkUsed(me.session.id, body)
    if (used.memberId !== me.session.memberId) throw new ApiError('wrong_credentials')
    const { token, elevatedUntil } = await commit(async (tx) => {
      await usePasskey(tx, used)
      return elevateSession(tx, me.session, used.id)
    })
    me.sendToken(token)
    return elevationView(elevatedUntil)
  },
})

/** The passkeys of the signed-in member. */
export const passkeyOperations = [
  listMyPasskeys,
  startPasskey,
  createPasskey,
  renameMyPasskey,
  deleteMyPasskey,
  startConfirmation,
  confirmWithPasskey,
]
