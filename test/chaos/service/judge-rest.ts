import { setTimeout as sleep } from 'node:timers/promises'
import { findObjectOwners } from '../../../db/videos/object-owners.ts'
import { findPublished, TABLES_OF_RENDITIONS } from '../../../db/videos/renditions.ts'
import { OBJECT_ROOTS, unusedPrefixOf } from '../../../domain/videos/unused-objects.ts'
import { DEFAULT_NAMESPACES } from '../../../scripts/temporal-namespace.ts'
import { inNamespace } from '../../../temporal/connect.ts'
import { processesOf } from '../../infrastructure/processes.ts'
import { scratchOf, wrongObjects } from '../ingest/judge-video.ts'
import { findRows, type ServiceRecord } from './judge.ts'

/** Schedules start these; no account waits for them. */
const MAINTENANCE = [
  'sweepOutbox',
  'purgeHistory',
  'reconcileObjects',
  'foldSums',
  'checkSums',
  'countAudience',
]

/** The longest legitimate wait: a lost heartbeat of a minute for each of several steps, and the sweep. */
const QUIET_MAX_MS = 300_000
const LOOK_MS = 1_000

/** Waits until all work has ended. Returns what has not ended when it had enough time. */
export async function findStuck(record: ServiceRecord): Promise<string[]> {
  const endsAtMs = performance.now() + QUIET_MAX_MS
  for (;;) {
    // A server that the last fault has killed is about to start.
    const unfinished = await findUnfinished(record).catch((error: Error) => [
      `the record cannot be read: ${error.message}`,
    ])
    if (unfinished.length === 0 || performance.now() > endsAtMs) return unfinished
    await sleep(LOOK_MS)
  }
}

async function findUnfinished(record: ServiceRecord): Promise<string[]> {
  const rows = await findRows<{ problem: string }>(
    record,
    `select 'video ' || id || ' is ' || status as problem from video
       where deleted_at is null and status not in ('ready', 'failed')
     union all select 'the objects of video ' || id || ' are not removed' from video
       where deleted_at is not null and removed_at is null
     union all select 'delivery ' || id || ' is pending after attempt ' || attempt_count
       from webhook_delivery where status = 'pending'
     union all select 'the outbox holds ' || command || ' ' || subject_id from outbox`,
  )
  const running: string[] = []
  const query = `ExecutionStatus = 'Running'`
  const deliveries = inNamespace(record.temporal, DEFAULT_NAMESPACES.deliveries)
  for (const { workflow } of [record.temporal, deliveries])
    for await (const { type, workflowId } of workflow.list({ query }))
      if (!MAINTENANCE.includes(type)) running.push(`the workflow ${workflowId} runs`)
  return [...rows.map(({ problem }) => problem), ...running]
}

/** Returns what is left of what has ended: objects, rows, tools and files. */
export async function findOrphans(record: ServiceRecord): Promise<string[]> {
  const { folder } = record.world
  const lists = await Promise.all([
    orphanRows(record),
    orphanObjects(record),
    unpublishedObjects(record),
    scratchOf({ data_dir: folder }),
  ])
  const tools = processesOf(folder).filter((line) => /ffmpeg|ffprobe|packager/.test(line))
  return [...lists.flat(), ...tools]
}

async function orphanRows(record: ServiceRecord): Promise<string[]> {
  const tables = [...TABLES_OF_RENDITIONS, 'content_key', 'source_key', 'caption']
  const orphans = tables.map(
    (table) =>
      `select '${table} of video ' || o.video_id as problem from ${table} o
       left join video v on v.id = o.video_id where v.id is null or v.removed_at is not null`,
  )
  const rows = await findRows<{ problem: string }>(record, orphans.join(' union '))
  return rows.map(({ problem }) => problem)
}

async function orphanObjects(record: ServiceRecord): Promise<string[]> {
  const videos = await findRows<{ id: string }>(record, 'select id from video')
  const ids = videos.map(({ id }) => id)
  const owners = await findObjectOwners(record.db.em.fork(), ids)
  const orphans: string[] = []
  for (const root of OBJECT_ROOTS)
    for await (const { key } of record.storage.list(root))
      if (unusedPrefixOf(key, owners.get(key.split('/')[1] ?? '') ?? null) !== null)
        orphans.push(`the object ${key}`)
  return orphans
}

async function unpublishedObjects(record: ServiceRecord): Promise<string[]> {
  const ready = await findRows<{ id: string }>(
    record,
    `select id from video where deleted_at is null and status = 'ready'`,
  )
  const wrong: string[] = []
  for (const { id } of ready) {
    const published = await findPublished(record.db.em.fork(), id)
    wrong.push(...(await wrongObjects(record, id, published)))
  }
  return wrong
}
