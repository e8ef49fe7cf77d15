import { sql, type RawBuilder } from 'kysely'
import type { EntityManager } from '../database.ts'
import { DashboardSession } from '../entities/member.ts'
import { hasPart } from '../has-part.ts'
import { findPage, sqlDirection, type Page, type PageRequest } from '../page.ts'
import { queries } from '../queries.ts'

/** A session ends this long after its last request. */
export const SESSION_IDLE_MS = 7 * 86_400_000

/** A session ends this long after the sign-in at the latest. */
export const SESSION_MAX_MS = 30 * 86_400_000

/** A session as the list of its member shows it. */
export type ListedSession = Pick<
  DashboardSession,
  'id' | 'ip' | 'agent' | 'createdAt' | 'lastSeenAt'
>

/** Condition on the session `d`. */
export const isUnended = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`d.last_seen_at > ${new Date(now.getTime() - SESSION_IDLE_MS)}
    and d.created_at > ${new Date(now.getTime() - SESSION_MAX_MS)}`

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
