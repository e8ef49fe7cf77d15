import { defineEntity, p } from '@mikro-orm/core'

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
