import type { EntityManager } from '../database.ts'
import { DashboardSession } from '../entities/member.ts'
import { queries } from '../queries.ts'
import { isUnended, SESSION_IDLE_MS, SESSION_MAX_MS } from './dashboard-sessions.ts'

/** Requests within this time of the last noted one write nothing. */
const SEEN_EVERY_MS = 60_000

/** A session and its member. */
export interface SessionFacts {
  id: number
  memberId: number
  email: string
  memberName: string
  isOperator: boolean
  elevatedUntil: Date
  /** The passkey of the last confirmation or the sign-in; null for a password. */
  passkeyId: string | null
  lastSeenAt: Date
}

export interface NewSession {
  tokenHash: string
  memberId: number
  ip: string
  agent: string
  elevatedUntil: Date
  passkeyId?: string | null
}

/** Starts a session; returns its id. */
export const insertSession = (em: EntityManager, session: NewSession): Promise<number> =>
  em.insert(DashboardSession, session)

/** The session with this hash if it has not ended; null otherwise. Notes the request at most once a minute. */
export async function findSession(
  em: EntityManager,
  tokenHash: string,
  now: Date,
): Promise<SessionFacts | null> {
  const session = await queries(em)
    .selectFrom('dashboard_session as d')
    .innerJoin('member as m', 'm.id', 'd.memberId')
    .select(['d.id', 'd.memberId', 'm.email', 'm.name as memberName', 'm.isOperator'])
    .select(['d.elevatedUntil', 'd.passkeyId', 'd.lastSeenAt'])
    .where('d.tokenHash', '=', tokenHash)
    .where(isUnended(now))
    .executeTakeFirst()
  if (!session) return null
  if (now.getTime() - session.lastSeenAt.getTime() > SEEN_EVERY_MS)
    await em.nativeUpdate(DashboardSession, { id: session.id }, { lastSeenAt: now })
  return session
}

/**
 * Gives a session a new token and a time of fresh authentication. False if the session has ended or its
 * token was replaced meanwhile.
 */
export const rotateSession = async (
  em: EntityManager,
  { id, tokenHash }: { id: number; tokenHash: string },
  changes: { tokenHash: string; elevatedUntil: Date; passkeyId: string | null },
): Promise<boolean> => (await em.nativeUpdate(DashboardSession, { id, tokenHash }, changes)) > 0

/** Ends one session of a member. False if the member has no such session. */
export const deleteSession = async (
  em: EntityManager,
  memberId: number,
  id: number,
): Promise<boolean> => (await em.nativeDelete(DashboardSession, { id, memberId })) > 0

/** Deletes up to `limit` sessions that have ended; returns how many. */
export async function deleteEndedSessions(
  em: EntityManager,
  limit: number,
  now = new Date(),
): Promise<number> {
  const ended = queries(em)
    .selectFrom('dashboard_session')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('lastSeenAt', '<', new Date(now.getTime() - SESSION_IDLE_MS)),
        eb('createdAt', '<', new Date(now.getTime() - SESSION_MAX_MS)),
      ]),
    )
    .limit(limit)
  const { numDeletedRows } = await queries(em)
    .deleteFrom('dashboard_session')
    .where('id', 'in', ended)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
