import { defineEntity, p } from '@mikro-orm/core'
import type { DeliveryErrorCode } from '../../domain/webhooks/delivery-failures.ts'
import type { StatementFacts, StatementVerb } from '../../domain/xapi/statement-facts.ts'

/** The learning record store of an account. */
export const RecordStoreSchema = defineEntity({
  name: 'RecordStore',
  tableName: 'record_store',
  properties: {
    accountId: p.integer().primary(),
    /** To which `/statements` is added. */
    url: p.text(),
    username: p.text(),
    /** Sealed (`security/sealing/secret-contexts.ts`). */
    sealedPassword: p.text(),
    /** The IRI of the system in which viewer ids are names. */
    homePage: p.text(),
    isActive: p.boolean().default(true),
    /** Failed requests in a row. */
    failureCount: p.integer().default(0),
    /** Refused statements since the last one that was delivered. */
    refusedInRow: p.integer().default(0),
    /** Before that nothing is sent; null if nothing has failed. */
    nextAttemptAt: p.datetime().strictNullable(),
    deliveredCount: p.bigint('number').default(0),
    refusedCount: p.bigint('number').default(0),
    droppedCount: p.bigint('number').default(0),
    lastSuccessAt: p.datetime().strictNullable(),
    /** The last failure of a request, or refusal of a statement; null after a success that follows a failure. */
    lastErrorAt: p.datetime().strictNullable(),
    lastErrorCode: p.text().$type<DeliveryErrorCode>().strictNullable(),
    lastErrorMessage: p.text().strictNullable(),
    lastErrorStatus: p.integer().strictNullable(),
    /** The beginning of the response. */
    lastResponse: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
})

export class RecordStore extends RecordStoreSchema.class {}
RecordStoreSchema.setClass(RecordStore)

/** A statement that waits for the record store, or that it has refused. Deleted once it is delivered. */
export const XapiStatementSchema = defineEntity({
  name: 'XapiStatement',
  tableName: 'xapi_statement',
  properties: {
    id: p.uuid().primary(),
    /** The order in which statements are sent. */
    number: p.bigint('number').defaultRaw("nextval('xapi_statement_number_seq')"),
    accountId: p.integer(),
    viewerId: p.text(),
    videoId: p.text(),
    verb: p.text().$type<StatementVerb>(),
    at: p.datetime(),
    facts: p.json<StatementFacts>(),
    refusedAt: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})
