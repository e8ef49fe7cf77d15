import { z } from 'zod'
import { changeRole, removeMember } from '../../../commands/members/members.ts'
import type { EntityManager } from '../../../db/database.ts'
import { findAccountMember, pageMembers } from '../../../db/members/members.ts'
import { orNotFound } from '../../../http/api-error.ts'
import { listQuery, rowIdInQuery, rowIdParameter, toPage } from '../../../http/list.ts'
import { operation } from '../../../http/operation.ts'
import { text } from '../../../http/text.ts'
import { listView } from '../../../views/list.ts'
import {
  memberListSchema,
  memberSchema,
  memberView,
  removedMemberSchema,
  role,
} from '../../../views/members/member.ts'

const tag = 'Members'
const Q_MAX_LENGTH = 100
const params = { id: rowIdParameter('member_not_found') }

const list = operation({
  id: 'listMembers',
  method: 'get',
  path: '/members',
  tag,
  summary: 'List the members of the account in the order in which they joined',
  description:
    '`q` is a part of the name or the address. A cursor of a member who has left is the beginning.',
  scope: 'members:read',
  status: 200,
  query: listQuery(rowIdInQuery, { q: text({ maxLength: Q_MAX_LENGTH }).optional() }),
  response: memberListSchema,
  async handle({ deps, accountId, query }) {
    const page = await pageMembers(deps.db.em.fork(), accountId, query, toPage(query))
    return listView(page, memberView, '/members')
  },
})

/** Reads a member for the audit log. */
async function readMember(tx: EntityManager, accountId: number, { id }: { id: number }) {
  const member = await findAccountMember(tx, accountId, id)
  return member && memberView(member)
}

const change = operation({
  id: 'changeMemberRole',
  method: 'patch',
  path: '/members/{id}',
  tag,
  summary: "Change a member's role",
  description:
    'The last owner keeps the role. The open invitations of an owner who gets another role end.',
  scope: 'members:write',
  changesRights: 'of-account',
  isElevated: true,
  params,
  body: z.strictObject({ role }),
  status: 200,
  response: memberSchema,
  audit: { action: 'member.update', fields: ['role'], before: readMember },
  errors: ['last_owner'],
  handle({ accountId, caller, params: { id }, body, commit }) {
    return commit(async (tx) => {
      await changeRole(tx, { accountId, memberId: id, by: caller.actor }, body.role)
      return memberView(orNotFound(await findAccountMember(tx, accountId, id), 'member_not_found'))
    })
  },
})

const remove = operation({
  id: 'removeMember',
  method: 'delete',
  path: '/members/{id}',
  tag,
  summary: 'Take a member out of the account',
  description:
    "The member's next request is refused, and the member's open invitations end. The last owner stays.",
  scope: 'members:write',
  changesRights: 'of-account',
  isElevated: true,
  params,
  status: 200,
  response: removedMemberSchema,
  audit: { action: 'member.remove', fields: ['email', 'role'], before: readMember },
  errors: ['last_owner'],
  handle({ accountId, caller, params: { id }, commit }) {
    return commit(async (tx) => {
      await removeMember(tx, { accountId, memberId: id, by: caller.actor })
      return { id, object: 'member', deleted: true }
    })
  },
})

export const memberOperations = [list, change, remove]
