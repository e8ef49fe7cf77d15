import { z } from 'zod'
import type { AccountMember } from '../db/members.ts'
import { ROLES } from '../domain/roles.ts'
import { isoUtc } from '../domain/timestamps.ts'
import { deletedSchema, listOf } from './list.ts'
import { isoUtcOrNull, rowId, timestamp } from './values.ts'

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

export const memberListSchema = listOf(memberSchema).meta({ id: 'MemberList' })
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
