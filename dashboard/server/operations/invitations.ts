import { z } from 'zod'
import { isEmail, normalEmail } from '../../../commands/members/email-address.ts'
import { createInvitation, withdrawInvitation } from '../../../commands/members/invitations.ts'
import type { EntityManager } from '../../../db/database.ts'
import { findInvitation, listInvitations } from '../../../db/members/invitations.ts'
import { rowIdParameter } from '../../../http/list.ts'
import { operation, operationFor } from '../../../http/operation.ts'
import { wholeListView } from '../../../views/list.ts'
import {
  createdInvitationSchema,
  createdInvitationView,
  invitationListSchema,
  invitationView,
  withdrawnInvitationSchema,
} from '../../../views/members/invitation.ts'
import { role } from '../../../views/members/member.ts'
import type { DashboardDeps } from '../deps.ts'

const tag = 'Members'
const INVITATION_FIELDS = ['role', 'email']

const list = operation({
  id: 'listInvitations',
  method: 'get',
  path: '/invitations',
  tag,
  summary: 'List the invitations that can still be accepted, newest first',
  scope: 'members:read',
  status: 200,
  response: invitationListSchema,
  async handle({ deps, accountId }) {
    const rows = await listInvitations(deps.db.em.fork(), accountId, new Date())
    return wholeListView(rows, invitationView, '/invitations')
  },
})

const createInvitationBody = z.strictObject({
  role,
  email: z
    .string()
    .overwrite(normalEmail)
    .refine(isEmail, 'must be an e-mail address')
    .nullable()
    .default(null)
    .meta({ description: 'Who alone may accept it; null: whom you give the link.' }),
})

const create = operationFor<DashboardDeps>()({
  id: 'createInvitation',
  method: 'post',
  path: '/invitations',
  tag,
  summary: 'Invite a person to the account',
  description: 'Only this response contains the link. It works once, for a week.',
  scope: 'members:write',
  isElevated: true,
  body: createInvitationBody,
  status: 201,
  response: createdInvitationSchema,
  audit: { action: 'invitation.create', fields: INVITATION_FIELDS },
  errors: ['too_many_invitations'],
  handle({ deps, accountId, caller, body, commit }) {
    return commit(async (tx) => {
      const facts = { accountId, role: body.role, email: body.email, by: caller.actor }
      const { invitation, token } = await createInvitation(tx, facts)
      return createdInvitationView(invitation, token, deps.dashboardBase)
    })
  },
})

/** Reads an invitation for the audit log. */
async function readInvitation(tx: EntityManager, accountId: number, { id }: { id: number }) {
  const invitation = await findInvitation(tx, accountId, id)
  return invitation && invitationView(invitation)
}

const withdraw = operation({
  id: 'withdrawInvitation',
  method: 'delete',
  path: '/invitations/{id}',
  tag,
  summary: 'Withdraw an invitation',
  scope: 'members:write',
  isElevated: true,
  params: { id: rowIdParameter('invitation_not_found') },
  status: 200,
  response: withdrawnInvitationSchema,
  audit: { action: 'invitation.withdraw', fields: INVITATION_FIELDS, before: readInvitation },
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      await withdrawInvitation(tx, accountId, id)
      return { id, object: 'invitation', deleted: true }
    })
  },
})

export const invitationOperations = [list, create, withdraw]
