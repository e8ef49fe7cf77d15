import { defineEntity, p } from '@mikro-orm/core'

export const MasterKeySchema = defineEntity({
  name: 'MasterKey',
  tableName: 'master_key',
  properties: {
    version: p.integer().primary(),
    /** Of the key, which is stored nowhere (`security/sealing.ts`). */
    fingerprint: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class MasterKey extends MasterKeySchema.class {}
MasterKeySchema.setClass(MasterKey)
