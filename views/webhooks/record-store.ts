import { z } from 'zod'
import type { RecordStore } from '../../db/entities/record-store.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { DELIVERY_FAILURES } from '../../domain/webhooks/delivery-failures.ts'
import { isoUtcOrNull, openEnumOf, timestamp } from '../values.ts'

const errorCode = openEnumOf(DELIVERY_FAILURES, 'Why a request to a record store failed.')
  .meta({ id: 'RecordStoreErrorCode', example: 'timeout' })
  .nullable()

const errorSchema = z
  .strictObject({
    at: timestamp('When it failed.'),
    code: errorCode,
    message: z.string().nullable().meta({ description: 'Cause and remedy in words.' }),
    response_status: z.int().nullable().meta({ description: 'Null without a response.' }),
    response_body: z
      .string()
      .nullable()
      .meta({ description: 'The beginning of the response as text.' }),
  })
  .meta({ id: 'RecordStoreError' })

const recordStoreSchema = z
  .strictObject({
    object: z.literal('record_store'),
    url: z.string().meta({ example: 'https://lrs.example.com/xapi' }),
    username: z.string(),
    home_page: z.string().meta({
      description: 'The IRI of the system in which viewer ids are names: `actor.account.homePage`.',
    }),
    is_active: z.boolean(),
    waiting: z.int().meta({ description: 'Statements that wait; 10,000 stands for more.' }),
    delivered: z.int(),
    refused: z.int().meta({ description: 'Statements that the record store refuses for good.' }),
    dropped: z.int().meta({ description: 'Statements that have waited for 30 days.' }),
    next_attempt_at: timestamp('After a failure, nothing is sent before.').nullable(),
    last_success_at: timestamp('When it took statements last.').nullable(),
    last_error: errorSchema
      .nullable()
      .meta({ description: 'Null once a request that follows a failure succeeds.' }),
    created_at: timestamp('When it was set up.'),
    updated_at: timestamp('When it was last changed.'),
  })
  .meta({ id: 'RecordStore' })

/** The record store of an account, or that it has none. */
export const recordStoreStateSchema = z
  .strictObject({
    object: z.literal('record_store_state'),
    record_store: recordStoreSchema.nullable(),
  })
  .meta({ id: 'RecordStoreState' })

/** What a record store has responded to a test. */
export const recordStoreTestSchema = z
  .strictObject({
    object: z.literal('record_store_test'),
    error_code: errorCode.meta({ description: 'Null exactly for a success.' }),
    error_message: z.string().nullable(),
    response_status: z.int().nullable(),
    response_body: z.string().nullable(),
    duration_ms: z.int(),
  })
  .meta({ id: 'RecordStoreTest' })

/** The record store of an account without its password. */
export const recordStoreStateView = (
  store: RecordStore | null,
  waiting: number,
): z.output<typeof recordStoreStateSchema> => ({
  object: 'record_store_state',
  record_store: store && {
    object: 'record_store',
    url: store.url,
    username: store.username,
    home_page: store.homePage,
    is_active: store.isActive,
    waiting,
    delivered: store.deliveredCount,
    refused: store.refusedCount,
    dropped: store.droppedCount,
    next_attempt_at: isoUtcOrNull(store.nextAttemptAt),
    last_success_at: isoUtcOrNull(store.lastSuccessAt),
    last_error: store.lastErrorAt && {
      at: isoUtc(store.lastErrorAt),
      code: store.lastErrorCode,
      message: store.lastErrorMessage,
      response_status: store.lastErrorStatus,
      response_body: store.lastResponse,
    },
    created_at: isoUtc(store.createdAt),
    updated_at: isoUtc(store.updatedAt),
  },
})
