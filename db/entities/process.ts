import { defineEntity, p } from '@mikro-orm/core'

export const WorkerBeatSchema = defineEntity({
  name: 'WorkerBeat',
  tableName: 'worker_beat',
  properties: {
    /** As Temporal names it: `<pid>@<host>`. */
    worker: p.text().primary(),
    queues: p.array<string>(),
    /** Where it takes deliveries from; null for a worker of the release before. */
    deliveriesNamespace: p.text().nullable(),
    seenAt: p.datetime().defaultRaw('now()'),
  },
})

export const MasterKeyHolderSchema = defineEntity({
  name: 'MasterKeyHolder',
  tableName: 'master_key_holder',
  properties: {
    /** Its name and identity: `player 71@host`. */
    process: p.text().primary(),
    /** The versions of the master key that it has, the current one first. */
    versions: p.array<number>(),
    startedAt: p.datetime().defaultRaw('now()'),
    /** How far its clock is ahead of the database's, at least; negative if it is behind. Null until it is known. */
    clockOffsetMs: p.bigint('number').nullable(),
    seenAt: p.datetime().defaultRaw('now()'),
  },
})

export const MasterKeySchema = defineEntity({
  name: 'MasterKey',
  tableName: 'master_key',
  properties: {
    version: p.integer().primary(),
    /** The fingerprint of the key, which itself is not stored (`security/sealing/sealing.ts`). */
    fingerprint: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class MasterKey extends MasterKeySchema.class {}
MasterKeySchema.setClass(MasterKey)

export const BackfillSchema = defineEntity({
  name: 'Backfill',
  tableName: 'backfill',
  properties: {
    name: p.text().primary(),
    /** What the next batch continues from; null at the beginning. */
    position: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    completedAt: p.datetime().nullable(),
  },
})
