import { sql } from 'kysely'
import type { ViewerErasure } from '../../domain/audience/viewer-erasure.ts'
import type { EntityManager } from '../database.ts'
import { LIFETIME } from '../playback/playback-sessions.ts'
import { countAffected, exactlyOne, queries } from '../queries.ts'

/** Requests the erasure of a viewer, or with null of all viewers. A second request returns the first one. */
export async function insertErasure(
  em: EntityManager,
  accountId: number,
  viewerId: string | null,
): Promise<Pick<ViewerErasure, 'id' | 'requestedAt'>> {
  const { rows } = await sql<Pick<ViewerErasure, 'id' | 'requestedAt'>>`
    insert into viewer_erasure as e (account_id, viewer_id) values (${accountId}, ${viewerId})
    on conflict (account_id, viewer_id) do update set requested_at = e.requested_at
    returning id::float8 as id, requested_at as "requestedAt"`.execute(queries(em).withoutPlugins())
  return exactlyOne(rows)
}

/** Forgets a request that is done. */
export async function deleteErasure(em: EntityManager, id: number): Promise<void> {
  await sql`delete from viewer_erasure where id = ${id}`.execute(queries(em))
}

/** Forgets the request to erase all viewers of an account. */
export async function deleteErasureOfAll(em: EntityManager, accountId: number): Promise<void> {
  await sql`delete from viewer_erasure where account_id = ${accountId} and viewer_id is null`.execute(
    queries(em),
  )
}

/** Erases up to `limit` rows of a viewer; returns how many. */
export type EraseRows = (em: EntityManager, of: ViewerErasure, limit: number) => Promise<number>

/** Ends the sessions of the viewer that may go on, and takes the viewer and the stretches out of all of them. */
const eraseSessions: EraseRows = (em, { accountId, viewerId }, limit) =>
  countAffected(
    em,
    sql`update playback_record s set viewer_id = null, stretches = null,
        ended_at = coalesce(s.ended_at, case when s.started_at > now() - ${sql.raw(LIFETIME)} then now() end)
      from (select p.id, p.started_at from video v join playback_record p on p.video_id = v.id and p.viewer_id = ${viewerId}
        where v.account_id = ${accountId} limit ${limit}) e
      where s.id = e.id and s.started_at = e.started_at`,
  )

/** Bodies are text: the id stands in them as JSON. */
const eraseEvents: EraseRows = async (em, { accountId, viewerId }, limit) => {
  const named = `"viewer_id":${JSON.stringify(viewerId)}`
  const { rows } = await sql<{ id: string; number: string }>`
    update event e set body = replace(e.body, ${named}, '"viewer_id":null')
    where (e.id, e.number) in (select c.id, c.number from event c where c.account_id = ${accountId}
      and c.type = 'security.event' and position(${named} in c.body) > 0 limit ${limit})
    returning e.id, e.number`.execute(queries(em).withoutPlugins())
  const ids = rows.map(({ id }) => id)
  // A receiver may have sent back what it got.
  await sql`
    update webhook_attempt a set response_body = null, response_headers = '{}'
    from webhook_delivery d where d.event_id = any(${ids}) and a.delivery_id = d.id
      and (position(${viewerId} in a.response_body) > 0 or position(${viewerId} in a.response_headers::text) > 0)`.execute(
    queries(em),
  )
  return ids.length
}

const eraseSecurityEvents: EraseRows = (em, { accountId, viewerId }, limit) =>
  countAffected(
    em,
    sql`update security_event set viewer_id = null where id in (select id from security_event
      where account_id = ${accountId} and viewer_id = ${viewerId} limit ${limit})`,
  )

/** Sets the viewer of rows to null, or deletes them, in a table with few rows of a viewer. */
const eraseFrom =
  (table: string, isKept: boolean): EraseRows =>
  (em, { accountId, viewerId }) =>
    countAffected(
      em,
      sql`${sql.raw(isKept ? `update ${table} set viewer_id = null` : `delete from ${table}`)}
        where account_id = ${accountId} and viewer_id = ${viewerId}`,
    )

/** The audit log keeps that something was done to a viewer, and not to whom. */
const eraseAudit: EraseRows = (em, { accountId, viewerId }, limit) => {
  const json = JSON.stringify(viewerId)
  const without = (column: string) => sql`
    ${sql.raw(column)} = case when position(${json} in ${sql.raw(column)}::text) > 0 then null else ${sql.raw(column)} end`
  return countAffected(
    em,
    sql`update audit_entry set subject = case when subject = ${viewerId} then erased_viewer(account_id, subject) else subject end,
        ${without('before')}, ${without('after')}
      where id in (select id from audit_entry where account_id = ${accountId} and (subject = ${viewerId}
        or position(${json} in before::text) > 0 or position(${json} in after::text) > 0) limit ${limit})`,
  )
}

const hashRevocation: EraseRows = async (em, { accountId, viewerId }) => {
  await sql`
    insert into revoked_viewer (account_id, viewer_id, revoked_at)
    select account_id, erased_viewer(account_id, viewer_id), revoked_at from revoked_viewer
    where account_id = ${accountId} and viewer_id = ${viewerId} on conflict do nothing`.execute(
    queries(em),
  )
  return countAffected(
    em,
    sql`delete from revoked_viewer where account_id = ${accountId} and viewer_id = ${viewerId}`,
  )
}

/** A record store may have sent back what it got: as it is, or as JSON. */
const eraseStatements: EraseRows = async (em, { accountId, viewerId }, limit) => {
  const quoted = JSON.stringify(viewerId).slice(1, -1)
  await sql`
    update record_store set last_response = null where account_id = ${accountId}
      and (position(${viewerId} in last_response) > 0 or position(${quoted} in last_response) > 0)`.execute(
    queries(em),
  )
  return countAffected(
    em,
    sql`delete from xapi_statement where id in (select id from xapi_statement
      where account_id = ${accountId} and viewer_id = ${viewerId} limit ${limit})`,
  )
}

/**
 * What an erasure does, in this order: sessions first, so that nothing is added by those that play. A test looks for the id in all
 * tables.
 */
export const ERASURES: readonly EraseRows[] = [
  eraseSessions,
  eraseFrom('stream_lease', false),
  eraseEvents,
  eraseSecurityEvents,
  eraseFrom('playback_report', true),
  eraseFrom('drm_device', true),
  eraseStatements,
  eraseFrom('viewer_progress', false),
  eraseFrom('viewer', false),
  eraseAudit,
  hashRevocation,
]
