import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDatabase, type Database } from '../../db/database.ts'
import { REQUEST_DEADLINES } from '../../db/deadlines.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { DEFAULT_NAMESPACES } from '../../scripts/temporal-namespace.ts'
import { openClient } from '../../temporal/connect.ts'
import { openWebhookFixture, type WebhookFixture } from '../../test/fixtures/webhooks.ts'
import { followAlert } from '../../test/infrastructure/follow-alert.ts'
import { temporalAddress } from '../../test/infrastructure/services.ts'
import {
  openSilentProxy,
  throughProxy,
  type SilentProxy,
} from '../../test/infrastructure/silent-proxy.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { recordCollections } from './record.ts'
import { serveMetrics } from './serve-metrics.ts'
import { taskQueueCollection } from './task-queues.ts'

let webhooks: WebhookFixture
let proxy: SilentProxy
let db: Database
let url: string
const logLines: string[] = []
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  webhooks = await openWebhookFixture()
  const { hostname, port } = new URL(webhooks.databaseUrl)
  proxy = await openSilentProxy({ host: hostname, port: Number(port) })
  const databaseUrl = throughProxy(webhooks.databaseUrl, proxy)
  db = await openDatabase({ url: databaseUrl, deadlines: REQUEST_DEADLINES })
  const address = { host: '127.0.0.1', port: await freePort() }
  url = `http://127.0.0.1:${address.port}/metrics`
  const temporal = { TEMPORAL_ADDRESS: await temporalAddress(), namespaces: DEFAULT_NAMESPACES }
  const queues = taskQueueCollection(temporal, (close) => closing.push(close))
  const metrics = await serveMetrics({
    address,
    collections: [...recordCollections(db), queues],
    logger: pino({}, { write: (line: string) => void logLines.push(line) }),
  })
  closing.push(() => metrics.close())
})
afterAll(async () => {
  await Promise.all(closing.map((close) => close()))
  await db.close(true)
  await proxy.close()
  await webhooks.close()
})

/** Returns the samples of Reelgate by name and labels. */
async function scrape(): Promise<Map<string, number>> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('reelgate_'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), z.coerce.number().parse(line.slice(end + 1))]
    }),
  )
}

describe('GET /metrics', () => {
  it('has what waits in the outbox, in deliveries, for the search and in task queues, the workers, the sealed values, and the newest backup', async () => {
    await webhooks.addEndpoint('https://a.example/')
    const [oldest] = await webhooks.announce()
    await webhooks.announce()
    await webhooks.execute(
      `update webhook_delivery set created_at = now() - interval '2 hours' where id = ${oldest}`,
    )
    await webhooks.execute(`update outbox set created_at = now() - interval '1 hour'`)
    await webhooks.execute(`insert into audit_entry (action, subject, actor_kind, actor_name, created_at)
      values ('installation.backup', 'a', 'operator', 'root', to_timestamp(1e9)),
        ('installation.restore', 'a', 'operator', 'root', now())`)
    await webhooks.execute(`insert into worker_beat (worker, queues)
      values ('1@a', '{ingest,encode}'), ('2@a', '{encode}')`)
    await webhooks.execute(`insert into caption_change (account_id, video_id, language_code, created_at)
      values (1, 'a', 'en', now() - interval '3 hours'), (1, 'a', 'de', now())`)
    const client = openClient({ address: await temporalAddress(), namespace: 'default' })
    await client.workflow.start('nothing', {
      workflowId: `metrics-${process.pid}`,
      taskQueue: 'ingest',
      workflowExecutionTimeout: '2 minutes',
    })
    await client.connection.close()
    const backlog = 'reelgate_task_queue_backlog_tasks{task_queue="ingest",task_type="workflow"}'
    const samples = await waitFor('the backlog', async () => {
      const now = await scrape()
      return (now.get(backlog) ?? 0) > 0 && now
    })
    expect(Object.fromEntries(samples)).toMatchObject({
      reelgate_outbox_requests: 2,
      reelgate_webhook_pending_deliveries: 2,
      reelgate_search_pending_captions: 2,
      'reelgate_workers{task_queue="ingest"}': 1,
      'reelgate_workers{task_queue="encode"}': 2,
      'reelgate_workers{task_queue="webhooks"}': 0,
      'reelgate_task_queue_pollers{task_queue="ingest"}': 0,
      'reelgate_sealed_values{kind="signing-secret",version="1"}': 1,
      'reelgate_sealed_values{kind="endpoint-secret",version="1"}': 1,
      reelgate_last_backup_timestamp_seconds: 1e9,
      'reelgate_sequence_used_share{sequence="account_id_seq"}': 1 / (2 ** 31 - 1),
      'reelgate_collection_failures_total{collection="task-queues"}': 0,
    })
    const ageOf = (name: string) => Math.floor((samples.get(name) ?? 0) / 60)
    expect(ageOf('reelgate_outbox_oldest_age_seconds')).toBe(60)
    expect(ageOf('reelgate_webhook_oldest_pending_age_seconds')).toBe(120)
    expect(ageOf('reelgate_search_oldest_pending_age_seconds')).toBe(180)
    const age = 'reelgate_task_queue_backlog_age_seconds{task_queue="ingest",task_type="workflow"}'
    expect(samples.get(age)).toBeGreaterThan(0)
  })

  it('names counters, and nothing else, with _total, and explains each metric, as promtool asks for', async () => {
    const exposition = await (await fetch(url)).text()
    const metrics = [...exposition.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
    const names = metrics.map(([, name = '']) => name)
    expect(names).toContain('nodejs_active_resources')
    const misnamed = metrics.filter(
      ([, name = '', type]) => name.endsWith('_total') !== (type === 'counter'),
    )
    expect(misnamed.map(([line]) => line)).toEqual([])
    const explained = [...exposition.matchAll(/^# HELP (\w+) ./gm)].map(([, name = '']) => name)
    expect(explained.toSorted()).toEqual(names.toSorted())
  })

  it('leaves out what cannot be read in time, counts it, and has the rest', async () => {
    const failures = 'reelgate_collection_failures_total{collection="outbox"}'
    const failuresBefore = (await scrape()).get(failures) ?? NaN
    proxy.fallSilent()
    const samples = await Promise.all([scrape(), scrape()]).finally(() => proxy.speak())
    expect(samples[1]).toEqual(samples[0])
    const names = [...(samples[0]?.keys() ?? [])]
    expect(names.filter((name) => /_outbox_|_pending_|reelgate_workers/.test(name))).toEqual([])
    expect(names).toContain('reelgate_task_queue_pollers{task_queue="ingest"}')
    // Read a moment ago.
    expect(names).toContain('reelgate_sealed_values{kind="signing-secret",version="1"}')
    const logs = { api: logLines }
    const found = await followAlert('ReelgateValuesMissing', logs, { PROCESS: 'api' })
    expect(found).toMatch(/"err":\{.*"collection":"\w+"/)
    // Both calls have shared one failure.
    expect(samples.map((each) => each.get(failures))).toEqual(Array(2).fill(failuresBefore + 1))
  })
})
