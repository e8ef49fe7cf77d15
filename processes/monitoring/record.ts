import type { Database } from '../../db/database.ts'
import { readDeliveryBacklog, readOutboxBacklog } from '../../db/ingest/backlog.ts'
import { readCaptionBacklog } from '../../db/search/caption-backlog.ts'
import { countSealedValues } from '../../db/secrets/sealed-values.ts'
import { readSequenceUse } from '../../db/sequences.ts'
import { readLastBackup } from '../../db/upkeep/last-backup.ts'
import { readOldestTransaction } from '../../db/upkeep/oldest-transaction.ts'
import { findLiveWorkers } from '../../db/upkeep/worker-beats.ts'
import { readUploadBacklog } from '../../db/uploads/upload-backlog.ts'
import {
  lastBackup,
  oldestDelivery,
  oldestPendingCaption,
  oldestTransaction,
  oldestUnremovedUpload,
  openUploadBytes,
  openUploads,
  outboxAge,
  outboxRequests,
  pendingCaptions,
  pendingDeliveries,
  sealedValues,
  sequenceUse,
  workers,
} from '../../metrics/installation.ts'
import { keptFor, type Collection } from './collector.ts'

/** The count reads every stored key, so it is not repeated with each question of Prometheus. */
const SEALED_VALUES_KEPT_MS = 10 * 60_000

/** Without a backup, the query reads all entries of the audit log without an account. */
const LAST_BACKUP_KEPT_MS = 60_000

/** Sequences take months to run out. */
const SEQUENCES_KEPT_MS = 10 * 60_000

/** A transaction of another role has no start that this role may see. It is open at least since it was first found. */
function transactionCollection(db: Database): Collection {
  let found = { id: '', atMs: 0 }
  const readAge = async (): Promise<number> => {
    const oldest = await readOldestTransaction(db.em.fork())
    const nowMs = Date.now()
    if (!oldest) return 0
    if (oldest.id !== found.id) found = { id: oldest.id, atMs: nowMs }
    return Math.max(0, nowMs - (oldest.startedAt?.getTime() ?? found.atMs)) / 1000
  }
  return {
    name: 'transactions',
    gauges: [oldestTransaction],
    read: async () => [{ gauge: oldestTransaction, value: await readAge() }],
  }
}

const uploadCollection = (db: Database): Collection => ({
  name: 'uploads',
  gauges: [openUploads, openUploadBytes, oldestUnremovedUpload],
  read: async () => {
    const { open, openBytes, unremovedSeconds } = await readUploadBacklog(db.em.fork())
    return [
      { gauge: openUploads, value: open },
      { gauge: openUploadBytes, value: openBytes },
      { gauge: oldestUnremovedUpload, value: unremovedSeconds },
    ]
  },
})

const captionCollection = (db: Database): Collection => ({
  name: 'captions',
  gauges: [oldestPendingCaption, pendingCaptions],
  read: async () => {
    const { count, oldestSeconds } = await readCaptionBacklog(db.em.fork())
    return [
      { gauge: oldestPendingCaption, value: oldestSeconds },
      { gauge: pendingCaptions, value: count },
    ]
  },
})

const workerCollection = (db: Database): Collection => ({
  name: 'workers',
  gauges: [workers],
  read: async () => {
    const live = await findLiveWorkers(db.em.fork())
    const { TASK_QUEUES } = await import('../../temporal/names.ts')
    return Object.values(TASK_QUEUES).map((queue) => ({
      gauge: workers,
      labels: { task_queue: queue },
      value: live.filter(({ queues }) => queues.includes(queue)).length,
    }))
  },
})

/**
 * Values that the database has. Each is one statement that reads an index or a few rows, within the deadline of the
 * process; but for the sealed values, which are counted rarely.
 */
export const recordCollections = (db: Database): Collection[] => [
  {
    name: 'outbox',
    gauges: [outboxAge, outboxRequests],
    read: async () => {
      const { count, oldestSeconds } = await readOutboxBacklog(db.em.fork())
      return [
        { gauge: outboxAge, value: oldestSeconds },
        { gauge: outboxRequests, value: count },
      ]
    },
  },
  {
    name: 'deliveries',
    gauges: [oldestDelivery, pendingDeliveries],
    read: async () => {
      const { count, oldestSeconds } = await readDeliveryBacklog(db.em.fork())
      return [
        { gauge: oldestDelivery, value: oldestSeconds },
        { gauge: pendingDeliveries, value: count },
      ]
    },
  },
  uploadCollection(db),
  captionCollection(db),
  workerCollection(db),
  {
    name: 'sealed-values',
    gauges: [sealedValues],
    read: keptFor(SEALED_VALUES_KEPT_MS, async () => {
      const counts = await countSealedValues(db.em.fork())
      return counts.map(({ kind, version, count }) => ({
        gauge: sealedValues,
        labels: { kind, version: String(version ?? 'none') },
        value: count,
      }))
    }),
  },
  {
    name: 'sequences',
    gauges: [sequenceUse],
    read: keptFor(SEQUENCES_KEPT_MS, async () => {
      const uses = await readSequenceUse(db.em.fork())
      return uses.map(({ name, share }) => ({
        gauge: sequenceUse,
        labels: { sequence: name },
        value: share,
      }))
    }),
  },
  transactionCollection(db),
  {
    name: 'backups',
    gauges: [lastBackup],
    read: keptFor(LAST_BACKUP_KEPT_MS, async () => {
      const value = await readLastBackup(db.em.fork())
      return value === null ? [] : [{ gauge: lastBackup, value }]
    }),
  },
]
