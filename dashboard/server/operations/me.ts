import { z } from 'zod'
import { changePassword } from '../../../commands/members/credentials.ts'
import { rename } from '../../../commands/members/rename.ts'
import {
  elevateSession,
  revokeOtherSessions,
  revokeSession,
} from '../../../commands/members/sessions.ts'
import type { EntityManager } from '../../../db/database.ts'
import { pageSessionsOf } from '../../../db/members/dashboard-sessions.ts'
import { findFailedSignIns } from '../../../db/members/failed-sign-ins.ts'
import { findMember, listAccountsOf } from '../../../db/members/members.ts'
import { countPasskeys } from '../../../db/members/passkeys.ts'
import {
  MEMBER_NAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../../../domain/limits.ts'
import { ApiError, orNotFound } from '../../../http/api-error.ts'
import { listQuery, rowIdInQuery, rowIdParameter, toPage } from '../../../http/list.ts'
import { operation } from '../../../http/operation.ts'
import { text } from '../../../http/text.ts'
import { isGuessable } from '../../../security/guessable-password.ts'
import { hashPassword } from '../../../security/password.ts'
import { listView } from '../../../views/list.ts'
import {
  deletedSessionSchema,
  elevationSchema,
  elevationView,
  endedSessionsSchema,
  meSchema,
  meView,
  sessionListSchema,
  sessionView,
} from '../../../views/members/me.ts'
import { memberOf, type MemberCaller } from '../auth/member-caller.ts'
import { refuseWhenBusy } from '../auth/refuse-when-busy.ts'

const Q_MAX_LENGTH = 100

export const TAG = 'Me'
// Every role carries it: these operations are about the member, not the account.
export const SCOPE = 'account:read'

const getMe = operation({
  id: 'getMe',
  method: 'get',
  path: '/me',
  tag: TAG,
  summary: 'Get the signed-in member, with the accounts and the role here',
  scope: SCOPE,
  status: 200,
  response: meSchema,
  handle: ({ deps, caller }) => readMe(deps.db.em.fork(), memberOf(caller)),
})

async function readMe(em: EntityManager, caller: MemberCaller) {
  const { memberId } = caller.session
  return meView({
    member: orNotFound(await findMember(em, memberId), 'not_signed_in'),
    accountId: caller.accountId,
    role: caller.role,
    accounts: await listAccountsOf(em, memberId),
    session: caller.session,
    passkeys: await countPasskeys(em, memberId),
    canUsePasskeys: caller.passkeys.isAvailable,
    dashboardUrl: caller.passkeys.origin,
    failedSignIns: await findFailedSignIns(em, memberId),
    workflowsUrl: caller.workflowsUrl,
    directPlayUrl: caller.directPlayBase,
  })
}

const updateMe = operation({
  id: 'updateMe',
  method: 'patch',
  path: '/me',
  tag: TAG,
  summary: 'Change the own name',
  scope: SCOPE,
  changesRights: 'of-member',
  body: z.strictObject({ name: text({ maxLength: MEMBER_NAME_MAX_LENGTH }) }),
  status: 200,
  response: meSchema,
  // The handler writes to the log of every account of the member.
  audit: null,
  handle: ({ caller, body, commit }) =>
    commit(async (tx) => {
      const me = memberOf(caller)
      await rename(tx, { ...me.member, name: me.session.memberName }, body.name)
      return readMe(tx, me)
    }),
})

const password = text({ maxLength: PASSWORD_MAX_LENGTH })

const confirmIdentity = operation({
  id: 'confirmIdentity',
  method: 'post',
  path: '/me/elevation',
  tag: TAG,
  summary: 'Enter the own password again, for operations that require it',
  description: 'Replaces the cookie of the session.',
  scope: SCOPE,
  changesRights: 'of-member',
  body: z.strictObject({ password }),
  takesSecret: true,
  status: 200,
  response: elevationSchema,
  errors: ['wrong_credentials', 'too_many_guesses', 'sign_in_busy'],
  audit: null,
  async handle({ caller, body, commit }) {
    const me = memberOf(caller)
    await me.confirmPassword(body.password)
    const { token, elevatedUntil } = await commit((tx) => elevateSession(tx, me.session))
    me.sendToken(token)
    return elevationView(elevatedUntil)
  },
})

const setPassword = operation({
  id: 'setPassword',
  method: 'post',
  path: '/me/password',
  tag: TAG,
  summary:
    "Set the own password; ends all other sessions of the member and withdraws the member's open invitations",
  description: 'Replaces the cookie of the session.',
  scope: SCOPE,
  changesRights: 'of-member',
  isElevated: true,
  body: z.strictObject({
    password: password
      .refine((value) => value.length >= PASSWORD_MIN_LENGTH, {
        message: `must have at least ${PASSWORD_MIN_LENGTH} characters`,
      })
      // In UTF-16 units, as the form of the sign-in counts: a longer one could not sign in.
      .refine((value) => value.length <= PASSWORD_MAX_LENGTH, {
        message: `must have at most ${PASSWORD_MAX_LENGTH} characters`,
      }),
    remove_passkeys: z.boolean().default(true).meta({
      description: 'Whether to remove all own passkeys but the one that confirmed this session.',
    }),
  }),
  takesSecret: true,
  errors: ['sign_in_busy'],
  status: 200,
  response: meSchema,
  // The handler writes to the log of every account of the member.
  audit: null,
  async handle({ caller, body, commit }) {
    const me = memberOf(caller)
    if (isGuessable(body.password, me.member.email))
      throw new ApiError('invalid_parameter', {
        param: 'password',
        message:
          '`password` is too easy to guess: it is common or a pattern, or contains your address or “Reelgate”.',
      })
    const passwordHash = await refuseWhenBusy(() => hashPassword(body.password))
    const change = { session: me.session, removesPasskeys: body.remove_passkeys }
    const { token, saved } = await commit(async (tx) => ({
      token: await changePassword(tx, me.member, passwordHash, change),
      saved: await readMe(tx, me),
    }))
    me.sendToken(token)
    return saved
  },
})

const listMySessions = operation({
  id: 'listMySessions',
  method: 'get',
  path: '/me/sessions',
  tag: TAG,
  summary: 'List the own sessions, most recently used first',
  description:
    '`q` is a part of the User-Agent or the address. A cursor of an ended session is the beginning.',
  scope: SCOPE,
  query: listQuery(rowIdInQuery, { q: text({ maxLength: Q_MAX_LENGTH }).optional() }),
  status: 200,
  response: sessionListSchema,
  async handle({ deps, accountId, caller, query }) {
    const { memberId, id } = memberOf(caller).session
    const filter = { q: query.q, now: new Date() }
    const page = await pageSessionsOf(deps.db.em.fork(), memberId, filter, toPage(query))
    return listView(
      page,
      (session) => sessionView(session, id),
      `/api/accounts/${accountId}/me/sessions`,
    )
  },
})

const endMySession = operation({
  id: 'endMySession',
  method: 'delete',
  path: '/me/sessions/{id}',
  tag: TAG,
  summary: 'End one of the own sessions; its next request is refused',
  scope: SCOPE,
  changesRights: 'of-member',
  params: { id: rowIdParameter('session_not_found') },
  status: 200,
  response: deletedSessionSchema,
  // The handler writes to the log of every account of the member.
  audit: null,
  handle: ({ caller, params, commit }) =>
    commit(async (tx) => {
      await revokeSession(tx, memberOf(caller).member, params.id)
      return { id: params.id, object: 'session', deleted: true }
    }),
})

const endMyOtherSessions = operation({
  id: 'endMyOtherSessions',
  method: 'delete',
  path: '/me/sessions',
  tag: TAG,
  summary: 'End all own sessions except that of the request',
  scope: SCOPE,
  changesRights: 'of-member',
  query: z.strictObject({ except: z.literal('current') }),
  status: 200,
  response: endedSessionsSchema,
  // The handler writes to the log of every account of the member.
  audit: null,
  handle: ({ caller, commit }) =>
    commit(async (tx) => {
      const me = memberOf(caller)
      const ended = await revokeOtherSessions(tx, me.member, me.session.id)
      return { object: 'ended_sessions' as const, ended }
    }),
})

/** What members do with their own sign-in. */
export const meOperations = [
  getMe,
  updateMe,
  confirmIdentity,
  setPassword,
  listMySessions,
  endMySession,
  endMyOtherSessions,
]
