import { defineEntity, p } from '@mikro-orm/core'

export const WorkerBeatSchema = defineEntity({
  name: 'WorkerBeat',
  tableName: 'worker_beat',
  properties: {
    /** As Temporal names it: `<pid>@<host>`. */
    worker: p.text().primary(),
    queues: p.array<string>(),
    seenAt: p.datetime().defaultRaw('now()'),
  },
})

export const MasterKeySchema = defineEntity({
  name: 'MasterKey',
  tableName: 'master_key',
  properties: {
    version: p.integer().primary(),
    /** The fingerprint of the key, which itself is not stored (`security/sealing.ts`). */
    fingerprint: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class MasterKey extends MasterKeySchema.class {}
MasterKeySchema.setClass(MasterKey)
