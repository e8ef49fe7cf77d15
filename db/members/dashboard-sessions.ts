import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { EntityManager } from '../database.ts'
import { DashboardSession } from '../entities/member.ts'
import { hasPart } from '../has-part.ts'
import { findPage, sqlDirection } from '../page.ts'
import type { Page, PageRequest } from '../page.ts'
import { queries } from '../queries.ts'

/** A session ends this long after its last request. */
const SESSION_IDLE_MS = 7 * 86_400_000
/** A session ends this long after the sign-in at the latest. */
export const SESSION_MAX_MS = 30 * 86_400_000
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

/** A session as the list of its member shows it. */
export type ListedSession = Pick<
  DashboardSession,
  'id' | 'ip' | 'agent' | 'createdAt' | 'lastSeenAt'
>

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

/** Condition on the session `d`. */
export const isUnended = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`d.last_seen_at > ${new Date(now.getTime() - SESSION_IDLE_MS)}
    and d.created_at > ${new Date(now.getTime() - SESSION_MAX_MS)}`

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

/** The sessions of a member that have not ended, most recently used first. */
export const listSessionsOf = (
  em: EntityManager,
  memberId: number,
  now: Date,
): Promise<DashboardSession[]> =>
  em.find(
    DashboardSession,
    {
      memberId,
      lastSeenAt: { $gt: new Date(now.getTime() - SESSION_IDLE_MS) },
      createdAt: { $gt: new Date(now.getTime() - SESSION_MAX_MS) },
    },
    { orderBy: { lastSeenAt: 'desc', id: 'desc' } },
  )

/**
 * A page of them; `q` is a part of the browser's User-Agent or of the address. A cursor is the id of a session; one that
 * has been deleted since counts as the beginning.
 */
export const pageSessionsOf = (
  em: EntityManager,
  memberId: number,
  { q, now }: { q?: string | undefined; now: Date },
  request: PageRequest<number>,
): Promise<Page<ListedSession>> =>
  findPage(request, ({ direction, cursor, limit }) => {
    const { beyond, order } = sqlDirection(direction)
    let found = queries(em)
      .selectFrom('dashboard_session as d')
      .select(['d.id', 'd.ip', 'd.agent', 'd.createdAt', 'd.lastSeenAt'])
      .where('d.memberId', '=', memberId)
      .where(isUnended(now))
    if (q !== undefined) found = found.where(hasPart(['d.agent', 'd.ip'], q))
    if (cursor !== undefined) {
      const at = sql`from dashboard_session where member_id = ${memberId} and id = ${cursor}`
      found = found.where(
        sql<boolean>`(not exists (select 1 ${at})
          or (d.last_seen_at, d.id) ${beyond} (select last_seen_at, id ${at}))`,
      )
    }
    return found.orderBy('d.lastSeenAt', order).orderBy('d.id', order).limit(limit).execute()
  })

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
