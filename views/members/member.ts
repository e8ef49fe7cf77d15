import { z } from 'zod'
import type { AccountMember, Operator } from '../../db/members/members.ts'
import { ROLES } from '../../domain/accounts/roles.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { deletedSchema, listSchema } from '../list.ts'
import { isoUtcOrNull, rowId, timestamp } from '../values.ts'

export const role = z
  .enum(ROLES)
  .meta({ description: 'owner: everything; editor: all but keys, secrets and members; reader.' })

/** A member of an account. */
export const memberSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('member'),
    email: z.string(),
    name: z.string(),
    role,
    joined_at: timestamp('When the member joined the account.'),
    last_seen_at: timestamp('The last request, to the minute; null without a session.').nullable(),
  })
  .meta({ id: 'Member' })

export const memberListSchema = listSchema(memberSchema).meta({ id: 'MemberList' })
export const removedMemberSchema = deletedSchema('member', rowId).meta({ id: 'RemovedMember' })

/** A member of an account. */
export const memberView = (member: AccountMember): z.output<typeof memberSchema> => ({
  id: member.memberId,
  object: 'member',
  email: member.email,
  name: member.name,
  role: member.role,
  joined_at: isoUtc(member.joinedAt),
  last_seen_at: isoUtcOrNull(member.lastSeenAt),
})

/** A member who runs the installation. */
export const operatorSchema = z.strictObject({
  id: rowId,
  object: z.literal('operator'),
  email: z.string(),
  name: z.string(),
  account_ids: z.array(rowId),
})

/** A member who runs the installation. */
export const operatorView = (operator: Operator): z.output<typeof operatorSchema> => ({
  id: operator.id,
  object: 'operator',
  email: operator.email,
  name: operator.name,
  account_ids: operator.accountIds,
})

/** The response to a member who becomes an operator, or no longer is one. */
export const operatorChangeSchema = z.strictObject({
  id: rowId,
  object: z.literal('member'),
  email: z.string(),
  is_operator: z.boolean(),
})
