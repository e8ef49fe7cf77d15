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
