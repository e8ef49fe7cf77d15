import { WorkflowNotFoundError } from '@temporalio/client'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { editSettings } from '../../commands/settings/edit-settings.ts'
import { readRowsOf } from '../../db/accounts/account-export.ts'
import { ACCOUNT_TABLES } from '../../db/accounts/account-tables.ts'
import { countSecurityEvents } from '../../db/playback/security-event-search.ts'
import { listSecurityEvents } from '../../db/playback/security-events.ts'
import { DEFAULT_RETENTION, type Retention } from '../../domain/retention.ts'
import { withChange } from '../../domain/settings/player-settings.ts'
import { deliveryWorkflowId } from '../../domain/workflow-ids.ts'
import { createEgress } from '../../egress/egress.ts'
import { TASK_QUEUES } from '../../temporal/names.ts'
import { addPastWeeks } from '../../test/fixtures/past-weeks.ts'
import { insertVideoFixture } from '../../test/fixtures/video-rows.ts'
import { insertProgress } from '../../test/fixtures/watched.ts'
import {
  moveEventsSql,
  openWebhookFixture,
  type WebhookFixture,
} from '../../test/fixtures/webhooks.ts'
import {
  runWebhookWorker,
  startOwnTemporal,
  type OwnTemporal,
} from '../../test/infrastructure/own-temporal.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { withDeps } from '../deps.ts'
import { keepAllPartitions } from './keep-partitions.ts'
import {
  createPurgeUpkeep,
  purgeDeliveries,
  purgeExpired,
  type PurgeUpkeepDeps,
} from './purge-history.ts'

let fixture: WebhookFixture
let temporal: OwnTemporal
let endpointId: number

/** By default, Temporal notes only each half minute which closed workflows it may delete. */
const PROMPT = ['transfer', 'visibility'].map(
  (queue) => `history.${queue}ProcessorUpdateAckInterval="1s"`,
)

beforeAll(async () => {
  ;[fixture, temporal] = await Promise.all([openWebhookFixture(), startOwnTemporal(PROMPT)])
  endpointId = (await fixture.addEndpoint('https://hooks.example.com/')).id
})
beforeEach(() => fixture.execute('truncate webhook_delivery, webhook_attempt, event'))
afterAll(() => Promise.all([fixture.close(), temporal.close()]))

type Purged = ReturnType<typeof purgeDeliveries>

const keepPartitions = (): Promise<string[]> =>
  new MockActivityEnvironment().run(() => keepAllPartitions({ db: fixture.db }))

async function purge(): Purged {
  await keepPartitions()
  return purgeWith(DEFAULT_RETENTION)
}

const purgeWith = (retention: Retention): Purged =>
  new MockActivityEnvironment().run(withDeps({ db: fixture.db, retention }, purgeDeliveries))

const purgeUpkeep = (options: Omit<PurgeUpkeepDeps, 'client'>) =>
  new MockActivityEnvironment().run(createPurgeUpkeep({ client: temporal.client, ...options }))

/** Adds a delivery that ended, or was created, `days` ago; its event is as old. */
async function oldDelivery(status: string, days: number): Promise<number> {
  const { deliveryId, eventId } = await fixture.announceTo(endpointId)
  const at = `now() - interval '${days} days'`
  const completedAt = status === 'pending' ? 'null' : at
  await fixture.execute(
    `insert into webhook_attempt (delivery_id, number, started_at, duration_ms, timings)
     values (${deliveryId}, 1, now(), 1, '{}')`,
  )
  await fixture.execute(
    `update webhook_delivery set status = '${status}', attempt_count = 1, created_at = ${at},
       completed_at = ${completedAt} where id = ${deliveryId}`,
  )
  await fixture.execute(moveEventsSql(at, 'e.id = ?'), [eventId])
  return deliveryId
}

const left = async (): Promise<number[]> =>
  (await fixture.execute<{ id: number }>('select id from webhook_delivery order by id')).map(
    ({ id }) => id,
  )

const closedWorkflow = async (workflowId: string, type = 'ended'): Promise<void> => {
  const handle = await temporal.client.workflow.start(type, {
    workflowId,
    taskQueue: 'without-workers',
  })
  await handle.terminate()
}
const isThere = (workflowId: string): Promise<boolean> =>
  temporal.client.workflow
    .getHandle(workflowId)
    .describe()
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return false
        throw error
      },
    )

describe('the retention', () => {
  it('keeps delivered deliveries 30 days, failed ones 90 days, and pending ones', async () => {
    const kept = [
      await oldDelivery('delivered', 29),
      await oldDelivery('failed', 31),
      await oldDelivery('failed', 89),
      await oldDelivery('pending', 100),
    ]
    await oldDelivery('delivered', 31)
    await oldDelivery('failed', 91)
    expect(await purge()).toMatchObject({ records: 0 })
    expect(await left()).toEqual(kept)
    expect(await fixture.execute('select 1 from webhook_attempt')).toHaveLength(4)
  })

  it('drops weeks of deliveries, and those of events that no delivery has', async () => {
    await addPastWeeks(fixture.databaseUrl, 22)
    const kept = [await oldDelivery('failed', 50), await oldDelivery('pending', 120)]
    for (const [status, days] of [
      ['delivered', 50],
      ['failed', 120],
    ] as const)
      await oldDelivery(status, days)
    const week = `date_trunc('week', now() at time zone 'utc' - interval '50 days')`
    const [place] = await fixture.execute<{ place: string; week: string }>(
      `select tableoid::regclass::text as place, to_char(${week}, 'YYYYMMDD') as week
       from webhook_delivery where id = ${kept[0]}`,
    )
    expect(place?.place).toBe(`webhook_delivery_failed_p${place?.week}`)
    const dropped = await keepPartitions()
    expect(dropped).toContain(`webhook_delivery_delivered_p${place?.week}`)
    expect(dropped).toContain(`webhook_attempt_delivered_p${place?.week}`)
    expect(await left()).toEqual(kept)
    expect(await fixture.execute('select 1 from webhook_attempt')).toHaveLength(2)

    const [events] = await fixture.execute<{ name: string }>(
      'select max(tableoid::regclass::text) as name from event',
    )
    const name = events?.name ?? ''
    await fixture.execute(
      `insert into id_partition (name, table_name, opened_at)
       select c.relname, 'event', now() - interval '100 days' from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'event'::regclass and c.relname ~ '_p'
       on conflict (name) do update set opened_at = excluded.opened_at`,
    )
    expect(await keepPartitions()).not.toContain(name)
    await fixture.execute('truncate webhook_delivery')
    expect(await keepPartitions()).toContain(name)
  })

  it('processes more deliveries than a batch holds, also in two concurrent runs', async () => {
    const first = await oldDelivery('delivered', 40)
    await fixture.execute(
      `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, status, completed_at)
       select account_id, endpoint_id, event_id, event_type, status, completed_at
       from webhook_delivery, generate_series(1, 1010) where id = ${first}`,
    )
    await Promise.all([purge(), purge()])
    expect(await left()).toEqual([])
  })

  it('deletes expired replays and expired rotated secrets', async () => {
    await fixture.execute(
      `insert into webhook_replay (account_id, since, until, status, event_count, state, completed_at)
       select ${fixture.accountId}, '2026-01-01', '2026-01-02', 'failed', 0, 'completed',
         now() - days * interval '1 day' from unnest(array[89, 91]) days`,
    )
    const secret = (hours: number) => ({
      sealed_secret: 'x',
      valid_until: new Date(Date.now() + hours * 3_600_000).toISOString(),
    })
    await fixture.execute('update webhook_endpoint set previous_secrets = ?::jsonb', [
      JSON.stringify([secret(1), secret(-1)]),
    ])
    await purge()
    expect(await fixture.execute('select 1 from webhook_replay')).toHaveLength(1)
    expect((await fixture.endpoint(endpointId)).previousSecrets).toHaveLength(1)
  })

  it('deletes devices that were not seen for 90 days, unless they are revoked', async () => {
    await fixture.execute(
      `insert into drm_device (account_id, device_id, last_seen_at, revoked_at)
       select ${fixture.accountId}, name, now() - days * interval '1 day', revoked_at from (values
         ('young', 89, null::timestamptz), ('old', 91, null), ('revoked', 91, now()))
         as d (name, days, revoked_at)`,
    )
    await purge()
    expect(
      await fixture.execute('select device_id as id from drm_device order by device_id'),
    ).toEqual([{ id: 'revoked' }, { id: 'young' }])
  })

  it('deletes keys of mobile apps that were not used for 90 days', async () => {
    await fixture.execute(
      `insert into app_attest_key (key_id, public_key, environment, last_used_at)
       select repeat(name, 64), 'x', 'production', now() - days * interval '1 day'
       from (values ('a', 89), ('b', 91)) as k (name, days)`,
    )
    await purge()
    expect(await fixture.execute('select key_id as id from app_attest_key')).toEqual([
      { id: 'a'.repeat(64) },
    ])
  })

  it('deletes the leases of viewers who have stopped playing', async () => {
    await fixture.execute(
      `insert into stream_lease (account_id, viewer_id, renewed_at)
       select ${fixture.accountId}, name, now() - seconds * interval '1 second'
       from (values ('plays', 140), ('gone', 400)) as l (name, seconds)`,
    )
    await purge()
    expect(await fixture.execute('select viewer_id as id from stream_lease')).toEqual([
      { id: 'plays' },
    ])
  })

  it('deletes completed sweeps after minutes, other closed workflows of the Schedules after a day, and leaves those of deliveries to Temporal', async () => {
    const { client } = temporal
    const stop = await runWebhookWorker(temporal, fixture, createEgress())
    const taskQueue = TASK_QUEUES.webhooks
    const sweep = { taskQueue, workflowId: 'sweep-completed', args: [] }
    await client.workflow.execute('sweepOutbox', sweep)
    await stop()
    const old = deliveryWorkflowId(await oldDelivery('delivered', 31))
    await closedWorkflow(old)
    await closedWorkflow('sweep-terminated', 'sweepOutbox')
    await closedWorkflow('purge-history-1', 'purgeHistory')
    const query = `WorkflowType in ('sweepOutbox', 'purgeHistory') and ExecutionStatus != 'Running'`
    const countIs = (count: number) =>
      waitFor(
        `${count} workflows`,
        async () => (await client.workflow.count(query)).count === count,
      )
    const isGone = (id: string) => waitFor(`the end of ${id}`, async () => !(await isThere(id)))
    await countIs(3)
    expect(await purgeUpkeep({ keptMs: 60 * 60_000, completedKeptMs: 60_000 })).toBe(0)
    expect(await purgeUpkeep({ completedKeptMs: 0 })).toBe(1)
    await isGone('sweep-completed')
    for (const kept of ['sweep-terminated', 'purge-history-1', old])
      expect(await isThere(kept)).toBe(true)
    await countIs(2)
    expect(await purgeUpkeep({ keptMs: 0 })).toBe(2)
    await countIs(0)
    for (const gone of ['sweep-terminated', 'purge-history-1']) await isGone(gone)
    expect(await isThere(old)).toBe(true)
  }, 300_000)

  it('keeps the audit log and usage as long as the operator says', async () => {
    const account = `${fixture.accountId}, now() - days * interval '1 day'`
    const days = 'from unnest(array[9, 11]) days'
    await fixture.execute(
      `insert into audit_entry (account_id, created_at, actor_kind, actor_name, action, subject)
       select ${account}, 'operator', '', '', '' ${days}`,
    )
    await fixture.execute(`insert into usage_day (account_id, day) select ${account} ${days}`)
    const tables = ['audit_entry', 'usage_day']
    const counts = async () =>
      Promise.all(tables.map(async (t) => (await fixture.execute(`select 1 from ${t}`)).length))
    const retention = {
      ...DEFAULT_RETENTION,
      auditEntryDays: 10,
      usageDays: 10,
    }
    expect((await purgeWith(DEFAULT_RETENTION)).records).toBe(0)
    expect(await counts()).toEqual([2, 2])
    expect((await purgeWith(retention)).records).toBe(2)
    expect(await counts()).toEqual([1, 1])
  })

  it('hides sessions and security events as soon as they are too old, and drops them with their partition', async () => {
    const days = `now() - days * interval '1 day'`
    const videoId = await insertVideoFixture(fixture.db, { accountId: fixture.accountId })
    await fixture.execute(
      `insert into playback_record (id, account_id, started_at, video_id, signing_secret_version)
       select gen_random_uuid(), ${fixture.accountId}, ${days}, '${videoId}', 1 from unnest(array[9, 11]) days`,
    )
    await fixture.execute(
      `insert into security_event (account_id, created_at, event_type, severity, details)
       select ${fixture.accountId}, ${days}, 'x', 'low', '{}' from unnest(array[9, 11]) days`,
    )
    const { accountId } = fixture
    const retention = { ...DEFAULT_RETENTION, securityEventDays: 10, playbackSessionDays: 10 }
    const keep = (): Promise<string[]> =>
      new MockActivityEnvironment().run(withDeps({ db: fixture.db, retention }, keepAllPartitions))
    const shown = async () =>
      (await listSecurityEvents(fixture.em(), { accountId }, { limit: 10 })).rows.length
    const exported = (name: string) =>
      fixture.em().transactional(async (tx) => {
        const [table] = ACCOUNT_TABLES.filter((one) => one.name === name)
        if (!table) throw new Error(`${name} is not listed`)
        const lines: string[] = []
        for await (const page of readRowsOf(tx, accountId, table)) lines.push(...page)
        return lines
      })
    const since = new Date(0)
    expect(await shown()).toBe(2)
    expect(await keep()).toEqual([])
    expect(await shown()).toBe(1)
    expect(await exported('playback_record')).toHaveLength(1)
    expect(await exported('security_event')).toHaveLength(1)
    expect(await countSecurityEvents(fixture.em(), { accountId, since }, [since])).toMatchObject([
      { count: 1 },
    ])
    const month = () =>
      fixture.execute(`update id_partition set opened_at = opened_at - interval '32 days'`)
    await month()
    await keep()
    await month()
    const dropped = await keep()
    expect(dropped.length).toBeGreaterThan(0)
    expect(await fixture.execute('select 1 from security_event')).toEqual([])
  })

  it('keeps sessions and progress of an account as long as the account says, and never longer than the operator', async () => {
    const { accountId } = fixture
    const set = (days: { sessions: number | null; progress: number | null }) =>
      editSettings(fixture.em(), accountId, (settings) =>
        withChange(settings, {
          viewer_data: { sessions_kept_days: days.sessions, progress_kept_days: days.progress },
        }),
      )
    const [other = { id: 0 }] = await fixture.execute<{ id: number }>(
      `insert into account (name, settings, sealed_signing_secret)
       select name, settings, sealed_signing_secret from account where id = ${accountId} returning id`,
    )
    await fixture.execute('delete from playback_record')
    for (const id of [accountId, other.id]) {
      const videoId = await insertVideoFixture(fixture.db, { accountId: id })
      // The oldest one is not counted yet.
      await fixture.execute(
        `insert into playback_record (id, account_id, started_at, video_id, signing_secret_version, is_open)
         select gen_random_uuid(), ${id}, now() - days * interval '1 day', '${videoId}', 1, days = 60 from unnest(array[20, 40, 60]) days`,
      )
      for (const days of [20, 40, 400])
        await insertProgress(
          fixture.db,
          { accountId: id, viewerId: `seen ${days}`, videoId },
          { lastSeenAtMs: Date.now() - days * 86_400_000 },
        )
    }
    const left = async (id: number) => {
      const [row] = await fixture.execute<{ sessions: number; progress: number }>(
        `select (select count(*)::int from playback_record where account_id = ${id}) as sessions,
           (select count(*)::int from viewer_progress where account_id = ${id}) as progress`,
      )
      return row
    }
    await purge()
    expect(await left(accountId)).toEqual({ sessions: 3, progress: 2 })
    await set({ sessions: 30, progress: null })
    await purge()
    expect(await left(accountId)).toEqual({ sessions: 2, progress: 2 })
    await set({ sessions: 3650, progress: 30 })
    await purge()
    expect(await left(accountId)).toEqual({ sessions: 2, progress: 1 })
    expect(await left(other.id)).toEqual({ sessions: 3, progress: 2 })
  })

  it('deletes more records than a batch holds, through an index', async () => {
    await fixture.execute(
      `insert into audit_entry (account_id, created_at, actor_kind, actor_name, action, subject)
       select ${fixture.accountId}, now() - interval '1100 days', 'operator', '', '', '' from generate_series(1, 2500)`,
    )
    const both = await Promise.all([purge(), purge()])
    expect(both.reduce((sum, { records }) => sum + records, 0)).toBe(2500)
    const plan = await fixture.em().transactional(async (tx) => {
      // The table of the test is small.
      await tx.execute('set local enable_seqscan = off')
      return tx.execute<unknown[]>(
        `explain select ctid from audit_entry where created_at < now() - 1095 * interval '1 day'
         order by created_at limit 1000 for update skip locked`,
      )
    })
    expect(JSON.stringify(plan)).toContain('audit_entry_created')
  })

  it('deletes the rows of removed videos, the ones that playback sessions name after these', async () => {
    const add = async (removed: string, hasSession = false) => {
      const id = await insertVideoFixture(fixture.db, { accountId: fixture.accountId })
      await fixture.execute(
        `update video set deleted_at = ${removed}, removed_at = ${removed} where id = '${id}'`,
      )
      // Written by an activity that was late.
      await fixture.execute(
        `insert into rendition (video_id, name, facts) values ('${id}', '240p', '{}')`,
      )
      if (hasSession)
        await fixture.execute(
          `insert into playback_record (id, account_id, video_id, signing_secret_version)
           values (gen_random_uuid(), ${fixture.accountId}, '${id}', 1)`,
        )
      return id
    }
    const old = await add(`now() - interval '91 days'`)
    const kept = [
      await add(`now() - interval '89 days'`),
      await add(`now() - interval '91 days'`, true),
    ]
    await purge()
    const rows = await fixture.execute<{ id: string }>('select id from video where id = any(?)', [
      `{${[old, ...kept].join(',')}}`,
    ])
    expect(rows.map(({ id }) => id).toSorted()).toEqual(kept.toSorted())
  })

  it('deletes reports of why videos did not play after 30 days', async () => {
    const { accountId, execute } = fixture
    await execute(
      `insert into playback_report (account_id, code, cause, created_at)
       select ${accountId}, days::text, 'network', now() - days * interval '1 day'
       from unnest(array[29, 31]) days`,
    )
    await purge()
    expect(await execute('select code from playback_report')).toEqual([{ code: '29' }])
  })

  it('deletes keys a year after their revocation, invitations, and members who have left every account', async () => {
    const { accountId, execute } = fixture
    await execute(
      `insert into api_key (account_id, hash, hint, scopes, revoked_at)
       values (${accountId}, 'old', '', '{}', now() - interval '366 days'),
         (${accountId}, 'young', '', '{}', now() - interval '364 days'), (${accountId}, 'used', '', '{}', null)`,
    )
    await execute(
      `insert into invitation (account_id, token_hash, role, invited_by, is_from_operator, expires_at)
       select ${accountId}, days::text, 'editor', '', false, now() - days * interval '1 day'
       from unnest(array[89, 91]) days`,
    )
    await execute(
      `insert into member (email, is_operator, created_at)
       select name, name = 'operator', now() - interval '31 days'
       from unnest(array['left', 'operator', 'signed-in', 'belongs']) name`,
    )
    await execute(`insert into member (email) values ('new')`)
    await execute(
      `insert into dashboard_session (token_hash, member_id, ip, agent)
       select 'x', id, '', '' from member where email = 'signed-in'`,
    )
    await execute(
      `insert into membership (account_id, member_id, role)
       select ${accountId}, id, 'owner' from member where email = 'belongs'`,
    )
    await purge()
    const names = async (sql: string) =>
      (await execute<{ name: string }>(`${sql} order by 1`)).map(({ name }) => name)
    expect(await names('select hash as name from api_key')).toEqual(['used', 'young'])
    expect(await names('select token_hash as name from invitation')).toEqual(['89'])
    expect(await names('select email as name from member')).toEqual([
      'belongs',
      'new',
      'operator',
      'signed-in',
    ])
    await execute('truncate member, dashboard_session cascade')
  })

  it('deletes responses of Idempotency-Keys after 24 hours, in batches, and safely twice', async () => {
    const purgeKeys = () => new MockActivityEnvironment().run(withDeps(fixture, purgeExpired))
    await fixture.execute(
      `insert into idempotency_record (account_id, route, key, fingerprint, locked_until, created_at)
       select ${fixture.accountId}, 'POST /v1/videos', n::text, '', now(),
         now() - interval '24 hours' + (case when n <= 2500 then -1 else 1 end) * interval '1 minute'
       from generate_series(1, 2503) n`,
    )
    expect(await purgeKeys()).toBe(2500)
    expect(await purgeKeys()).toBe(0)
    expect(await fixture.execute('select key from idempotency_record')).toHaveLength(3)
  })

  it('deletes guesses of sign-ins whose window has ended', async () => {
    await fixture.execute(
      `insert into sign_in_guess (key, points, expire) values ('ended', 5, ?), ('running', 5, ?)`,
      [Date.now() - 1, Date.now() + 60_000],
    )
    expect(await new MockActivityEnvironment().run(withDeps(fixture, purgeExpired))).toBe(1)
    expect(await fixture.execute('select key from sign_in_guess')).toEqual([{ key: 'running' }])
  })

  it('deletes the sessions of the dashboard that have ended', async () => {
    await fixture.execute(`insert into member (id, email) values (1, 'owner@site.example')`)
    await fixture.execute(
      `insert into dashboard_session (token_hash, member_id, ip, agent, created_at, last_seen_at) values
       ('open', 1, '', '', now() - interval '29 days', now() - interval '6 days'),
       ('idle', 1, '', '', now() - interval '8 days', now() - interval '7 days 1 minute'),
       ('old', 1, '', '', now() - interval '30 days 1 minute', now())`,
    )
    expect(await new MockActivityEnvironment().run(withDeps(fixture, purgeExpired))).toBe(2)
    expect(await fixture.execute('select token_hash from dashboard_session')).toEqual([
      { token_hash: 'open' },
    ])
  })
})
