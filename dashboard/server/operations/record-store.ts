import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { inTurn } from '../../../api/link-checks.ts'
import { requireUrl } from '../../../api/webhook-endpoints/operations.ts'
import {
  removeRecordStore,
  resumeRecordStore,
  setRecordStore,
} from '../../../commands/xapi/record-stores.ts'
import type { EntityManager } from '../../../db/database.ts'
import { findRecordStore } from '../../../db/xapi/record-stores.ts'
import { countWaitingStatements } from '../../../db/xapi/statements.ts'
import { ENDPOINT_FORM, IRI_FORM, USERNAME_FORM } from '../../../domain/xapi/record-store.ts'
import { testStatementJson } from '../../../domain/xapi/statement-json.ts'
import { postStatements, type StatementsResponse } from '../../../egress/posts/post-statements.ts'
import { orNotFound } from '../../../http/api-error.ts'
import type { OperationDeps } from '../../../http/deps.ts'
import { operation } from '../../../http/operation.ts'
import { text } from '../../../http/text.ts'
import { unseal } from '../../../security/sealing/sealing.ts'
import { recordStoreContext } from '../../../security/sealing/secret-contexts.ts'
import {
  recordStoreStateSchema,
  recordStoreStateView,
  recordStoreTestSchema,
} from '../../../views/webhooks/record-store.ts'

const tag = 'Record store'
const PATH = '/record-store'
const TEXT_MAX_LENGTH = 500
/** Only owners send what viewers have watched to another system. */
const scope = 'secrets:write'
/** The fields that the audit log shows. */
const FIELDS = ['url', 'username', 'home_page', 'is_active']

async function readState(em: EntityManager, accountId: number) {
  const store = await findRecordStore(em, accountId)
  return recordStoreStateView(store, store ? await countWaitingStatements(em, accountId) : 0)
}

const readStore = async (em: EntityManager, accountId: number) =>
  (await readState(em, accountId)).record_store

const get = operation({
  id: 'getRecordStore',
  method: 'get',
  path: PATH,
  tag,
  summary: 'Get the learning record store of the account, and how its deliveries are going',
  scope: 'webhooks:read',
  status: 200,
  response: recordStoreStateSchema,
  handle: ({ deps, accountId }) => readState(deps.db.em.fork(), accountId),
})

const storeBody = z.strictObject({
  url: z.string().regex(ENDPOINT_FORM, 'must have no query and no fragment').meta({
    description: 'The xAPI endpoint, to which `/statements` is added. The rules of a webhook URL.',
    example: 'https://lrs.example.com/xapi',
  }),
  username: text({ maxLength: TEXT_MAX_LENGTH }).regex(USERNAME_FORM, 'must have no colon'),
  password: text({
    maxLength: TEXT_MAX_LENGTH,
    description: 'Required for another address or user name; no response contains it.',
  }).optional(),
  home_page: text({
    maxLength: TEXT_MAX_LENGTH,
    example: 'https://school.example.com',
  }).regex(IRI_FORM, 'must be an absolute IRI, such as https://school.example.com'),
  is_active: z.boolean(),
})

const set = operation({
  id: 'setRecordStore',
  method: 'post',
  path: PATH,
  tag,
  summary: 'Set the learning record store of the account',
  scope,
  isElevated: true,
  takesSecret: true,
  body: storeBody,
  status: 200,
  response: recordStoreStateSchema,
  audit: {
    action: 'record_store.set',
    fields: FIELDS,
    before: readStore,
    after: ({ record_store: store }) => store,
  },
  errors: ['invalid_webhook_url', 'webhook_url_not_allowed', 'webhook_url_unreachable'],
  async handle({ deps, accountId, body, commit }) {
    const { url, username, password, home_page: homePage, is_active: isActive } = body
    await requireUrl(deps, accountId, url)
    const settings = { url, username, password, homePage, isActive }
    return commit(async (tx) => {
      const store = await setRecordStore(tx, deps.masterKeys, accountId, settings)
      return recordStoreStateView(store, await countWaitingStatements(tx, accountId))
    })
  },
})

const remove = operation({
  id: 'deleteRecordStore',
  method: 'delete',
  path: PATH,
  tag,
  summary: 'Remove the learning record store with the statements that wait for it',
  scope,
  isElevated: true,
  status: 200,
  response: recordStoreStateSchema,
  audit: { action: 'record_store.delete', fields: FIELDS, before: readStore, after: () => null },
  errors: ['record_store_not_found'],
  handle({ accountId, commit }) {
    return commit(async (tx) => {
      await removeRecordStore(tx, accountId)
      return recordStoreStateView(null, 0)
    })
  },
})

const test = operation({
  id: 'testRecordStore',
  method: 'post',
  path: `${PATH}/test`,
  tag,
  summary: 'Send a test statement to the learning record store, even while it is off',
  description: 'It names no viewer and no video. After a success, what waits is sent at once.',
  scope,
  isElevated: true,
  status: 200,
  response: recordStoreTestSchema,
  audit: { action: 'record_store.test', fields: ['response_status', 'error_code'] },
  errors: ['record_store_not_found'],
  async handle({ deps, accountId, commit, whenGone }) {
    const startedAtMs = performance.now()
    const response = await inTurn(accountId, 'url', () => sendTest(deps, accountId, whenGone()))
    const { responseStatus, errorCode, errorMessage, responseBody } = response
    return commit(async (tx) => {
      if (errorCode === null) await resumeRecordStore(tx, accountId)
      return {
        object: 'record_store_test' as const,
        error_code: errorCode,
        error_message: errorMessage,
        response_status: responseStatus,
        response_body: responseBody,
        duration_ms: Math.round(performance.now() - startedAtMs),
      }
    })
  },
})

async function sendTest(
  { db, masterKeys, egress, embedBase }: OperationDeps,
  accountId: number,
  signal: AbortSignal,
): Promise<StatementsResponse> {
  const found = await findRecordStore(db.em.fork(), accountId)
  const { url, username, homePage, sealedPassword } = orNotFound(found, 'record_store_not_found')
  const password = unseal(masterKeys, sealedPassword, recordStoreContext(accountId)).toString()
  const one = { id: randomUUID(), atMs: Date.now() }
  const statements = [testStatementJson(one, { homePage, embedBase })]
  return postStatements(egress, { accountId, url, username, password, statements, signal })
}

export const recordStoreOperations = [get, set, remove, test]
