import { defineEntity, p } from '@mikro-orm/core'

/** A chunk of a video that viewers watch or wait for, while it is encoded. */
export const PlayheadSchema = defineEntity({
  name: 'Playhead',
  tableName: 'playhead',
  properties: {
    videoId: p.text().primary(),
    /** Of the chunk, from 0. */
    index: p.integer().primary(),
    seenAt: p.datetime().defaultRaw('now()'),
  },
})

export class Playhead extends PlayheadSchema.class {}
PlayheadSchema.setClass(Playhead)
