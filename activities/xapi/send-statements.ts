import { cancellationSignal } from '@temporalio/activity'
import type { Logger } from 'pino'
import { registrationOf } from '../../commands/xapi/append-statements.ts'
import {
  removeAbandoned,
  settleDelivered,
  settleFailure,
  settleRefused,
} from '../../commands/xapi/settle-statements.ts'
import type { Database } from '../../db/database.ts'
import { findStoreToSend, type StoreToSend } from '../../db/xapi/record-stores.ts'
import { readWaitingStatements } from '../../db/xapi/statements.ts'
import {
  STATEMENTS_PER_REQUEST,
  verdictOf,
  type DeliverStatementsInput,
  type SendStatementsResult,
} from '../../domain/xapi/record-store.ts'
import type { Statement } from '../../domain/xapi/statement-facts.ts'
import { statementJson } from '../../domain/xapi/statement-json.ts'
import { EgressError, isOwnFault } from '../../egress/egress-error.ts'
import type { Egress } from '../../egress/egress.ts'
import { postStatements, type StatementsResponse } from '../../egress/posts/post-statements.ts'
import { networkFaults } from '../../metrics/network.ts'
import { statements as counted } from '../../metrics/webhooks.ts'
import { unseal, type MasterKeys } from '../../security/sealing/sealing.ts'
import { recordStoreContext } from '../../security/sealing/secret-contexts.ts'
import { createFairSlots } from '../webhooks/fair-slots.ts'
import { slotBusy } from '../webhooks/slot-busy.ts'

export interface SendStatementsDeps {
  db: Database
  masterKeys: MasterKeys
  egress: Egress
  logger: Pick<Logger, 'warn'>
  /** Where viewers reach the player, without a slash at the end. */
  embedBase: string
  /** Those of webhooks by default. */
  webhookDeadlineMs?: number
  webhookLookupDeadlineMs?: number
}

type SendStatementsInput = Required<DeliverStatementsInput>

/** The most requests to record stores in flight in this process. */
export const STATEMENT_REQUESTS_IN_FLIGHT = 50
const ABANDONED_ROWS = 500

/**
 * Sends the next statements to the record store of an account in one request, and records the response. Safe to run twice: the ids of statements follow from
 * their facts, so a record store that has them ignores them. If the worker is killed between sending and recording, the same statements are sent
 * again. Of several statements one of which is refused, fewer are sent the next time, until the refused one is alone. Throws
 * StoreBusy without sending while too many requests are in flight, or the network of this installation is away; Temporal then retries
 * after a delay.
 */
export function createSendStatements(deps: SendStatementsDeps) {
  const slots = createFairSlots(STATEMENT_REQUESTS_IN_FLIGHT, [1])
  return async function sendStatements(input: SendStatementsInput): Promise<SendStatementsResult> {
    const release = slots.take(input.accountId)
    if (!release) throw storeBusy()
    try {
      return await sendNext(deps, input)
    } finally {
      release()
    }
  }
}

const storeBusy = () => slotBusy('StoreBusy', 'No slot is free for this request')

async function sendNext(
  deps: SendStatementsDeps,
  { accountId, limit }: SendStatementsInput,
): Promise<SendStatementsResult> {
  const em = deps.db.em.fork()
  if ((await removeAbandoned(em, accountId, ABANDONED_ROWS)) === ABANDONED_ROWS)
    return { outcome: 'more', limit }
  const store = await findStoreToSend(em, accountId)
  const waiting = store ? await readWaitingStatements(em, accountId, limit) : []
  if (!store || waiting.length === 0) return { outcome: 'ended' }
  return settle(deps, accountId, { store, waiting, response: await send(deps, store, waiting) })
}

async function send(
  { masterKeys, egress, embedBase, ...deps }: SendStatementsDeps,
  { url, username, sealedPassword, homePage }: StoreToSend,
  waiting: readonly Statement[],
): Promise<StatementsResponse> {
  const accountId = waiting[0]?.accountId ?? 0
  const statements = waiting.map((statement) =>
    statementJson(statement, { homePage, embedBase, registration: registrationOf(statement) }),
  )
  const password = unseal(masterKeys, sealedPassword, recordStoreContext(accountId)).toString()
  try {
    return await postStatements(egress, {
      accountId,
      url,
      username,
      password,
      statements,
      signal: cancellationSignal(),
      deadlineMs: deps.webhookDeadlineMs,
      lookupDeadlineMs: deps.webhookLookupDeadlineMs,
    })
  } catch (error) {
    if (!(error instanceof EgressError) || !isOwnFault(error)) throw error
    networkFaults.inc({ code: error.code })
    throw storeBusy()
  }
}

interface Sent {
  store: StoreToSend
  waiting: readonly Statement[]
  response: StatementsResponse
}

async function settle(
  { db, logger }: SendStatementsDeps,
  accountId: number,
  { store, waiting, response }: Sent,
): Promise<SendStatementsResult> {
  const em = db.em.fork()
  const ids = waiting.map(({ id }) => id)
  const { responseStatus: status, errorCode: code, errorMessage, responseBody } = response
  const error = { code, message: errorMessage, status, response: responseBody }
  switch (verdictOf(response, { count: ids.length, refusedInRow: store.refusedInRow })) {
    case 'delivered':
      counted.inc({ outcome: 'delivered' }, await settleDelivered(em, accountId, ids))
      return { outcome: 'more', limit: Math.min(ids.length * 2, STATEMENTS_PER_REQUEST) }
    case 'divide':
      return { outcome: 'more', limit: Math.ceil(ids.length / 2) }
    case 'refused':
      if (await settleRefused(em, accountId, ids[0] ?? '', error))
        counted.inc({ outcome: 'refused' })
      logger.warn({ accountId, code, status }, 'a record store refuses a statement')
      return { outcome: 'more', limit: 1 }
    case 'wait':
      await settleFailure(em, accountId, store, { error, response })
      logger.warn({ accountId, code, status }, 'a request to a record store failed')
      return { outcome: 'ended' }
  }
}
