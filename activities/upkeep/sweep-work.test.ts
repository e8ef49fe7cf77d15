import { Client } from '@temporalio/client'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findUnfinishedDeliveries } from '../../db/outbox/outbox-sweep.ts'
import { exactlyOne } from '../../db/queries.ts'
import { SWEEP_KINDS, type SweepKind, type SweptPart } from '../../domain/sweep.ts'
import {
  accountDeletionWorkflowId,
  deletionWorkflowId,
  deliveryWorkflowId,
  endpointWorkflowId,
  importWorkflowId,
  posterWorkflowId,
  replayWorkflowId,
  videoWorkflowId,
} from '../../domain/workflow-ids.ts'
import { DEFAULT_NAMESPACES } from '../../scripts/temporal-namespace.ts'
import { listRunning } from '../../temporal/workflow-runs.ts'
import { openWebhookFixture, type WebhookFixture } from '../../test/fixtures/webhooks.ts'
import { startOwnTemporal, type OwnTemporal } from '../../test/infrastructure/own-temporal.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { withDeps } from '../deps.ts'
import { sweepWork } from './sweep-work.ts'

let fixture: WebhookFixture
let temporal: OwnTemporal
let endpointId: number

beforeAll(async () => {
  ;[fixture, temporal] = await Promise.all([openWebhookFixture(), startOwnTemporal()])
  endpointId = (await fixture.addEndpoint('https://hooks.example.com/')).id
})

beforeEach(async () => {
  await fixture.execute(`update webhook_delivery set status = 'failed'`)
  await fixture.execute(`update video set status = 'failed', removed_at = now()`)
  await fixture.execute('delete from outbox')
  await fixture.execute('delete from sweep_position')
})

afterAll(() => Promise.all([fixture.close(), temporal.close()]))

const deliveriesNamespace = DEFAULT_NAMESPACES.deliveries

const sweepKind = (
  kind: SweepKind,
  {
    client = temporal.client,
    ...options
  }: { client?: Client; sweepMs?: number; now?: () => number } = {},
) =>
  new MockActivityEnvironment().run(
    withDeps(
      { db: fixture.db, client, deliveriesNamespace, sweepMs: 60_000, ...options },
      sweepWork,
    ),
    kind,
  ) as Promise<SweptPart>

/** The number of requested workflows of each kind. */
async function sweep(): Promise<Record<SweepKind, number>> {
  const counts = { ...NOTHING }
  for (const kind of SWEEP_KINDS) counts[kind] = (await sweepKind(kind)).requested
  return counts
}

/** Adds a pending delivery without a workflow, whose request has left the outbox. */
async function lostDelivery(change = `created_at = now() - interval '1 minute'`): Promise<number> {
  const { deliveryId } = await fixture.announceTo(endpointId)
  await fixture.execute('delete from outbox')
  await fixture.execute(`update webhook_delivery set ${change} where id = ${deliveryId}`)
  return deliveryId
}

const copyDelivery = (id: number, count: number) =>
  fixture.execute(
    `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, created_at)
     select account_id, endpoint_id, event_id, event_type, created_at
     from webhook_delivery, generate_series(1, ${count}) where id = ${id}`,
  )

async function lostVideo(change = ''): Promise<string> {
  const id = crypto.randomUUID().replaceAll('-', '').slice(0, 20)
  await fixture.execute(
    `insert into video (id, account_id, title, source_url, protection, created_at)
     values ('${id}', ${fixture.accountId}, 'lesson', 'https://x/', 'clearkey', now() - interval '1 minute')`,
  )
  if (change) await fixture.execute(`update video set ${change} where id = '${id}'`)
  return id
}

const start = (workflowId: string) =>
  temporal.client.workflow.start('waits', { workflowId, taskQueue: 'without-workers' })
const outbox = () =>
  fixture.execute<{ command: string; subject: string }>(
    'select command, subject_id as subject from outbox order by id',
  )
const NOTHING: Record<SweepKind, number> = {
  deliveries: 0,
  videos: 0,
  deletions: 0,
  replays: 0,
  posters: 0,
  accounts: 0,
  endpoints: 0,
  imports: 0,
}

/** A client that counts look-ups of single workflows, and does not get a response about some. */
function countingClient(isLost: (workflowId: string) => boolean = () => false) {
  const asked: string[] = []
  const { connection } = temporal.client
  const client = new Client({
    connection,
    namespace: 'default',
    interceptors: {
      workflow: [
        {
          describe(input, next) {
            asked.push(input.workflowExecution.workflowId ?? '')
            if (isLost(asked.at(-1) ?? '')) throw new Error('no response')
            return next(input)
          },
        },
      ],
    },
  })
  return { client, asked }
}

describe('the sweep', () => {
  it('requests the workflow of a delivery and of a video that have none', async () => {
    const deliveryId = await lostDelivery()
    const videoId = await lostVideo()
    expect(await sweep()).toEqual({ ...NOTHING, deliveries: 1, videos: 1 })
    expect(await outbox()).toEqual([
      { command: 'deliver-webhook', subject: String(deliveryId) },
      { command: 'ingest-video', subject: videoId },
    ])
  })

  it('requests it with the id of the HTTP request that caused the work', async () => {
    await lostDelivery()
    await fixture.execute(`update event set request_id = 'req_1'`)
    await lostVideo(`request_id = 'req_2'`)
    await sweep()
    expect(await fixture.execute('select request_id from outbox order by id')).toEqual([
      { request_id: 'req_1' },
      { request_id: 'req_2' },
    ])
  })

  it('requests it once across repeated runs', async () => {
    await lostDelivery()
    await lostVideo()
    await sweep()
    expect(await sweep()).toEqual(NOTHING)
    expect(await outbox()).toHaveLength(2)
  })

  it('ignores running workflows', async () => {
    await start(deliveryWorkflowId(await lostDelivery()))
    await start(videoWorkflowId(await lostVideo()))
    expect(await sweep()).toEqual(NOTHING)
  })

  it('finds rows whose workflow was terminated before its work was done', async () => {
    const handles = [
      await start(deliveryWorkflowId(await lostDelivery())),
      await start(videoWorkflowId(await lostVideo(`status = 'playable'`))),
    ]
    for (const handle of handles) await handle.terminate()
    expect(await sweep()).toEqual({ ...NOTHING, deliveries: 1, videos: 1 })
  })

  it('ignores rows younger than 30 seconds, and finished work', async () => {
    await lostDelivery(`created_at = now() - interval '20 seconds'`)
    await lostDelivery(`created_at = now() - interval '1 hour', status = 'delivered'`)
    await lostVideo(`created_at = now() - interval '20 seconds'`)
    await lostVideo(`status = 'ready'`)
    await lostVideo(`deleted_at = now()`)
    expect(await sweep()).toEqual(NOTHING)
  })

  it('restores a waiting delivery in time for its next attempt, not hours before', async () => {
    const old = `created_at = now() - interval '1 hour', attempt_count = 3`
    await lostDelivery(`${old}, next_retry_at = now() + interval '1 hour'`)
    expect(await sweep()).toEqual(NOTHING)
    await lostDelivery(`${old}, next_retry_at = now() + interval '90 seconds'`)
    await lostDelivery(`${old}, next_retry_at = now() - interval '90 seconds'`)
    expect(await sweep()).toEqual({ ...NOTHING, deliveries: 2 })
  })

  it('finds deletions whose objects still exist', async () => {
    const lost = await lostVideo(`deleted_at = now() - interval '1 minute'`)
    await lostVideo(`deleted_at = now() - interval '1 minute', removed_at = now()`)
    const running = await lostVideo(`deleted_at = now() - interval '1 minute'`)
    await start(deletionWorkflowId(running))
    expect(await sweep()).toEqual({ ...NOTHING, deletions: 1 })
    expect(await outbox()).toEqual([{ command: 'delete-video', subject: lost }])
  })

  it('finds running replays without a workflow', async () => {
    const insert = (state: string, age: string) =>
      fixture.execute<{ id: number }>(
        `insert into webhook_replay (account_id, since, until, status, event_count, state, created_at)
         values (${fixture.accountId}, '2026-01-01', '2026-01-02', 'failed', 0, ?, now() - ?::interval)
         returning id`,
        [state, age],
      )
    await insert('completed', '1 minute')
    const young = exactlyOne(await insert('running', '1 second'))
    expect(await sweep()).toEqual(NOTHING)
    await fixture.execute(`update webhook_replay set created_at = now() - interval '1 minute'`)
    expect(await sweep()).toEqual({ ...NOTHING, replays: 1 })
    expect(await outbox()).toEqual([{ command: 'replay-webhooks', subject: String(young.id) }])
    await start(replayWorkflowId(young.id))
    await fixture.execute('delete from outbox')
    expect(await sweep()).toEqual(NOTHING)
  })

  it('finds running imports without a workflow', async () => {
    const insert = (state: string, age: string) =>
      fixture.execute<{ id: number }>(
        `insert into video_import (account_id, state, at_once, line_count, created_at)
         values (${fixture.accountId}, ?, 1, 1, now() - ?::interval) returning id`,
        [state, age],
      )
    await insert('completed', '1 minute')
    await insert('running', '1 second')
    expect(await sweep()).toEqual(NOTHING)
    const old = exactlyOne(await insert('running', '1 minute'))
    expect(await sweep()).toEqual({ ...NOTHING, imports: 1 })
    expect(await outbox()).toEqual([{ command: 'import-videos', subject: String(old.id) }])
    await start(importWorkflowId(old.id))
    await fixture.execute('delete from outbox')
    expect(await sweep()).toEqual(NOTHING)
  })

  it('finds cancelled imports without a workflow whose videos are being made', async () => {
    const insert = async (state: string) => {
      const { id } = exactlyOne(
        await fixture.execute<{ id: number }>(
          `insert into video_import (account_id, state, at_once, line_count, created_at, completed_at)
           values (${fixture.accountId}, 'cancelled', 1, 1, now() - interval '1 minute', now()) returning id`,
        ),
      )
      await fixture.execute(
        `insert into video_import_line (import_id, number, account_id, state, source_url, facts)
         values (?, 1, ${fixture.accountId}, ?, '', '{}')`,
        [id, state],
      )
      return id
    }
    await insert('cancelled')
    await insert('ready')
    expect(await sweep()).toEqual(NOTHING)
    const id = await insert('started')
    expect(await sweep()).toEqual({ ...NOTHING, imports: 1 })
    expect(await outbox()).toEqual([{ command: 'import-videos', subject: String(id) }])
    await start(importWorkflowId(id))
    await fixture.execute('delete from outbox')
    expect(await sweep()).toEqual(NOTHING)
  })

  it('finds uploaded posters without a workflow', async () => {
    const videoId = await lostVideo(`status = 'ready'`)
    const { number } = exactlyOne(
      await fixture.execute<{ number: number }>(
        `insert into poster_upload (video_id, account_id, content, format, size_bytes, request_id)
         values (?, ${fixture.accountId}, 'x', 'png', 1, 'req_3') returning number`,
        [videoId],
      ),
    )
    expect(await sweep()).toEqual(NOTHING)
    await fixture.execute(`update poster_upload set created_at = now() - interval '1 minute'`)
    expect(await sweep()).toEqual({ ...NOTHING, posters: 1 })
    expect(await sweep()).toEqual(NOTHING)
    expect(await outbox()).toEqual([{ command: 'set-poster', subject: `${videoId}/${number}` }])
    await start(posterWorkflowId(videoId, number))
    await fixture.execute('delete from outbox')
    expect(await sweep()).toEqual(NOTHING)
    await fixture.execute(`update poster_upload set content = null, reason = 'internal_error'`)
    expect(await sweep()).toEqual(NOTHING)
  })

  it('finds deleted accounts whose rows still exist', async () => {
    const accountId = await fixture.addAccount()
    await fixture.execute(`update account set deleted_at = now() where id = ${accountId}`)
    expect(await sweep()).toEqual(NOTHING)
    await fixture.execute(
      `update account set deleted_at = now() - interval '1 minute' where id = ${accountId}`,
    )
    expect(await sweep()).toEqual({ ...NOTHING, accounts: 1 })
    expect(await outbox()).toEqual([{ command: 'delete-account', subject: String(accountId) }])
    await start(accountDeletionWorkflowId(accountId))
    await fixture.execute('delete from outbox')
    expect(await sweep()).toEqual(NOTHING)
  })

  it('finds deleted endpoints, and disabled ones whose deliveries have not ended; not the deliveries of the deleted', async () => {
    await lostDelivery()
    const request = { command: 'settle-endpoint', subject: String(endpointId) }
    for (const column of ['cut_off_at', 'deleted_at']) {
      const setTo = (value: string) =>
        fixture.execute(`update webhook_endpoint set ${column} = ${value} where id = ${endpointId}`)
      if (column === 'cut_off_at')
        await fixture.execute(`update webhook_delivery set status = 'failed'`)
      else await lostDelivery()
      await setTo('now()')
      expect(await sweep()).toEqual(NOTHING)
      await setTo(`now() - interval '1 minute'`)
      expect(await sweep()).toEqual({ ...NOTHING, endpoints: 1 })
      expect(await outbox()).toEqual([request])
      await fixture.execute('delete from outbox')
      const running = await start(endpointWorkflowId(endpointId))
      expect(await sweep()).toEqual(NOTHING)
      await running.terminate()
      await setTo('null')
    }
  })

  it('processes more rows than a page holds', async () => {
    const first = await lostDelivery()
    await copyDelivery(first, 450)
    expect(await sweep()).toEqual({ ...NOTHING, deliveries: 451 })
  })

  it('continues each page after the last row of the previous one', async () => {
    const ids = [await lostDelivery(), await lostDelivery(), await lostDelivery()].map(String)
    const em = fixture.db.em.fork()
    const [first] = await findUnfinishedDeliveries(em, null, 1)
    const rest = await findUnfinishedDeliveries(em, first?.subjectId ?? null, 10)
    expect([first, ...rest].map((row) => row?.subjectId)).toEqual(ids)
  })

  it('ends a call when its time is over, and continues in the next one', async () => {
    await copyDelivery(await lostDelivery(), 250)
    const sweepSome = () => sweepKind('deliveries', { sweepMs: 0 })
    expect(await sweepSome()).toEqual({ requested: 200, skipped: 0, isComplete: false })
    // The requests of the first call are done: it would find their rows again.
    await fixture.execute('delete from outbox')
    expect(await sweepSome()).toEqual({ requested: 51, skipped: 0, isComplete: true })
    await fixture.execute('delete from outbox')
    expect(await sweepSome()).toEqual({ requested: 200, skipped: 0, isComplete: false })
  })

  it('continues after the last page with requests when it is killed', async () => {
    await copyDelivery(await lostDelivery(), 250)
    const asked = new Set<string>()
    const { client } = countingClient((id) => asked.add(id).size > 200)
    await expect(sweepKind('deliveries', { client })).rejects.toThrow('no response')
    await fixture.execute('delete from outbox')
    expect(await sweepKind('deliveries')).toEqual({ requested: 51, skipped: 0, isComplete: true })
  })

  describe('asks Temporal', () => {
    it('about a page of running workflows in one call, and about each by itself within fifteen minutes', async () => {
      const ids = await Promise.all(Array.from({ length: 45 }, () => lostVideo()))
      const workflowIds = ids.map(videoWorkflowId)
      await Promise.all(workflowIds.map(start))
      const isListed = async () =>
        (await listRunning(temporal.client, workflowIds)).length === ids.length
      await waitFor('the list of running workflows', isListed)
      const { client, asked } = countingClient()
      for (let minute = 0; minute < 15; minute += 1) {
        const now = () => minute * 60_000
        const { requested } = await sweepKind('videos', { client, now })
        expect(requested).toBe(0)
      }
      expect(asked.toSorted()).toEqual(workflowIds.toSorted())
    })

    it('and skips a row without a response', async () => {
      const ids = [await lostVideo(), await lostVideo(), await lostVideo()].toSorted()
      const { client } = countingClient((id) => id === videoWorkflowId(ids[1] ?? ''))
      const swept = await sweepKind('videos', { client })
      expect(swept).toEqual({ requested: 2, skipped: 1, isComplete: true })
      expect((await outbox()).map(({ subject }) => subject)).toEqual([ids[0], ids[2]])
    })

    it('and fails, to continue later, when twenty rows have no response', async () => {
      for (let count = 0; count < 20; count += 1) await lostVideo()
      const { client } = countingClient(() => true)
      await expect(sweepKind('videos', { client })).rejects.toThrow('no response')
    })
  })
})
