import { z } from 'zod'
import type { FailedSignIn, Member } from '../../db/entities/member.ts'
import type { ListedSession } from '../../db/members/dashboard-sessions.ts'
import type { MemberAccount } from '../../db/members/members.ts'
import type { SessionFacts } from '../../db/members/write-dashboard-sessions.ts'
import { ROLES, type Role } from '../../domain/accounts/roles.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { deletedSchema, listSchema } from '../list.ts'
import { rowId, timestamp } from '../values.ts'

const role = z.enum(ROLES).meta({ description: 'What the member may do in the account.' })

/** The signed-in member. */
export const meSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('me'),
    email: z.string(),
    name: z.string(),
    account_id: rowId.meta({ description: 'The account of the address.' }),
    role,
    accounts: z
      .array(z.strictObject({ id: rowId, name: z.string(), role }))
      .meta({ description: 'All accounts of the member, by name.' }),
    is_operator: z.boolean().meta({ description: 'Whether the member runs the installation.' }),
    workflows_url: z.string().nullable().meta({
      description:
        'For an operator: address of the workflows in the Web UI of Temporal, if it is configured.',
    }),
    delivery_workflows_url: z.string().nullable().meta({
      description: 'The same of the workflows of webhook deliveries.',
    }),
    direct_play_url: z.string().nullable().meta({
      description:
        'Address of the Direct Play pages (`DIRECT_PLAY_BASE`), without a slash at the end; null if the installation has none.',
    }),
    session_id: rowId.meta({ description: 'The session of this request.' }),
    elevated_until: timestamp(
      'Until then, no confirmation is needed for secrets, keys and members.',
    ),
    has_password: z.boolean(),
    has_passkeys: z.boolean(),
    can_use_passkeys: z.boolean().meta({
      description:
        'Whether the address of the dashboard allows passkeys: a host name on https, or localhost.',
    }),
    dashboard_url: z.string().meta({
      description: 'The address of the dashboard (`DASHBOARD_BASE_URL`), where passkeys work.',
    }),
    failed_sign_ins: z
      .strictObject({ count: z.int().min(1), since: timestamp('When it was the first time.') })
      .nullable()
      .meta({
        description:
          'How often a wrong password was entered for the own address within 30 days, until the password is changed; null if none was. What the limit of guesses refuses does not count.',
      }),
  })
  .meta({ id: 'Me' })

/** Addresses in the Web UI of Temporal, without a slash at the end. */
export interface WorkflowsUrl {
  main: string
  deliveries: string
}

interface Me {
  member: Member
  accountId: number
  role: Role
  accounts: MemberAccount[]
  session: Pick<SessionFacts, 'id' | 'elevatedUntil'>
  passkeys: number
  canUsePasskeys: boolean
  dashboardUrl: string
  failedSignIns: FailedSignIn | null
  /** The view leaves it out for a member who is not an operator. */
  workflowsUrl: WorkflowsUrl | null
  directPlayUrl: string | null
}

export const meView = ({
  member,
  accountId,
  role: roleHere,
  accounts,
  session,
  passkeys,
  canUsePasskeys,
  dashboardUrl,
  failedSignIns,
  workflowsUrl,
  directPlayUrl,
}: Me): z.output<typeof meSchema> => ({
  id: member.id,
  object: 'me',
  email: member.email,
  name: member.name,
  account_id: accountId,
  role: roleHere,
  accounts: accounts.map((account) => ({
    id: account.accountId,
    name: account.accountName,
    role: account.role,
  })),
  is_operator: member.isOperator,
  workflows_url: (member.isOperator && workflowsUrl?.main) || null,
  delivery_workflows_url: (member.isOperator && workflowsUrl?.deliveries) || null,
  direct_play_url: directPlayUrl,
  session_id: session.id,
  elevated_until: isoUtc(session.elevatedUntil),
  has_password: member.passwordHash !== null,
  has_passkeys: passkeys > 0,
  can_use_passkeys: canUsePasskeys,
  dashboard_url: dashboardUrl,
  failed_sign_ins: failedSignIns && {
    count: failedSignIns.count,
    since: isoUtc(failedSignIns.since),
  },
})

/** The response to a confirmation of who the member is. */
export const elevationSchema = z
  .strictObject({
    object: z.literal('elevation'),
    elevated_until: timestamp('Until then, no confirmation is needed.'),
  })
  .meta({ id: 'Elevation' })

export const elevationView = (elevatedUntil: Date): z.output<typeof elevationSchema> => ({
  object: 'elevation',
  elevated_until: isoUtc(elevatedUntil),
})

/** A signed-in browser of the member. */
export const sessionSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('session'),
    ip: z.string().meta({ description: 'The address from which the session was started.' }),
    agent: z.string().meta({ description: 'The User-Agent of the browser.' }),
    created_at: timestamp('When the member signed in.'),
    last_seen_at: timestamp('The last request, to within a minute.'),
    is_current: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
  })
  .meta({ id: 'Session' })

export const sessionListSchema = listSchema(sessionSchema).meta({ id: 'SessionList' })
export const deletedSessionSchema = deletedSchema('session', rowId).meta({ id: 'DeletedSession' })

/** The response to the end of several sessions. */
export const endedSessionsSchema = z
  .strictObject({
    object: z.literal('ended_sessions'),
    ended: z.int().meta({ description: 'How many sessions ended.' }),
  })
  .meta({ id: 'EndedSessions' })

export const sessionView = (
  session: ListedSession,
  currentId: number,
): z.output<typeof sessionSchema> => ({
  id: session.id,
  object: 'session',
  ip: session.ip,
  agent: session.agent,
  created_at: isoUtc(session.createdAt),
  last_seen_at: isoUtc(session.lastSeenAt),
  is_current: session.id === currentId,
})
