import { sql } from 'kysely'
import type { KeyName } from '../../domain/drm/key-contract.ts'
import type { PlaybackSession } from '../../domain/playback/playback-session.ts'
import type { Database, EntityManager } from '../database.ts'
import { queries, runStatement } from '../queries.ts'
import {
  LIFETIME,
  MAY_CONTINUE,
  SESSION_COLUMNS,
  SESSION_VALUES,
  sessionValues,
} from './playback-sessions.ts'
import { HOLDS_LEASE, IS_LIMITED } from './stream-leases.ts'
import { leaseQuery } from './write-stream-leases.ts'

// Raw and prepared: the first frame waits for it (see `runStatement`).
const grant = (admission: string): string => `
    granted as (
      insert into playback_record as s (${SESSION_COLUMNS}, key_grants)
      select ${SESSION_VALUES}, 1 from video v, account a
      where ${MAY_CONTINUE} and ${admission} and v.protection = 'clearkey'
        and cardinality($10::text[]) = (select count(*) from content_key k
          where k.video_id = v.id and k.key_id = any($10))
      on conflict (id, started_at) do update set key_grants = s.key_grants + 1, last_seen_at = now()
      where s.ended_at is null
      returning 1)
    select k.key_id as "keyIdHex", k.name, k.sealed_key as "sealedKey"
    from content_key k where k.video_id = $2 and k.key_id = any($10) and exists (select from granted)`

const GRANT = { name: 'playback-grant', text: `with ${grant(`not ${IS_LIMITED}`)}` }

const LEASED_GRANT = {
  name: 'playback-grant-leased',
  text: `with ${leaseQuery(MAY_CONTINUE)}, ${grant(HOLDS_LEASE)}`,
}

export interface GrantedKey {
  keyIdHex: string
  name: KeyName
  sealedKey: string
}

/**
 * Records that a session is given these keys (distinct, in hex) and resolves to them, still sealed: in one
 * statement, or two if the plays of the viewer are limited. Resolves to null when the session may not continue,
 * when it gets no lease, when one of them is not a key of its video, or when the video is not protected by
 * ClearKey.
 */
export async function grantKeys(
  db: Database,
  session: PlaybackSession,
  userAgent: string | null,
  keyIdsHex: string[],
): Promise<GrantedKey[] | null> {
  const values = [...sessionValues(session, userAgent), keyIdsHex]
  const rows = await runStatement<GrantedKey>(db, GRANT, values)
  if (rows.length > 0) return rows
  const leased = await runStatement<GrantedKey>(db, LEASED_GRANT, values)
  return leased.length > 0 ? leased : null
}

/**
 * Adds a note to a session, which is inserted if it has no row yet. Returns false, having changed
 * nothing, when the session has this note already.
 */
export async function addSessionNote(
  em: EntityManager,
  session: PlaybackSession,
  userAgent: string | null,
  note: string,
): Promise<boolean> {
  const isNew = sql<boolean>`not (${note}::text = any(playback_record.noted))`
  const noted = await queries(em)
    .insertInto('playback_record')
    .values({
      id: session.sessionId,
      // No foreign key holds these: the column is null, which PostgreSQL refuses, if the row is gone (ADR 0058).
      videoId: sql`(select id from video where id = ${session.videoId})`,
      accountId: sql`(select id from account where id = ${session.accountId})`,
      viewerId: session.viewerId,
      signingSecretVersion: session.secretVersion,
      refererHost: session.refererHost,
      startedAt: new Date(session.startedAtMs),
      userAgent,
      noted: [note],
    })
    .onConflict((conflict) =>
      conflict
        .columns(['id', 'startedAt'])
        .doUpdateSet({ noted: sql`array_append(playback_record.noted, ${note}::text)` })
        .where(isNew),
    )
    .returning('id')
    .executeTakeFirst()
  return noted !== undefined
}

/** Ends a session that has a row: it gets no more keys and no more renewals. */
export async function endSession(em: EntityManager, sessionId: string): Promise<void> {
  await queries(em)
    .updateTable('playback_record')
    .set({ endedAt: sql`now()` })
    .where('id', '=', sessionId)
    .where('startedAt', '>', sql<Date>`now() - ${sql.raw(LIFETIME)}`)
    .where('endedAt', 'is', null)
    .execute()
}
