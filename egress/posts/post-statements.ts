import { WEBHOOK_DEADLINE_MS, WEBHOOK_LOOKUP_DEADLINE_MS } from '../../domain/limits.ts'
import { statementsUrl, STORE_RESPONSE_MAX_LENGTH } from '../../domain/xapi/record-store.ts'
import { XAPI_VERSION } from '../../domain/xapi/statement-json.ts'
import type { Egress } from '../egress.ts'
import { postWebhook, type WebhookResponse } from './webhook-request.ts'

/** Where statements are sent, and what they are. */
export interface StatementsRequest {
  accountId: number
  /** The endpoint of the record store. */
  url: string
  username: string
  password: string
  statements: readonly object[]
  signal: AbortSignal
  /** Those of webhooks by default. */
  deadlineMs?: number | undefined
  lookupDeadlineMs?: number | undefined
}

/** What a record store has responded. */
export type StatementsResponse = Pick<
  WebhookResponse,
  'responseStatus' | 'errorCode' | 'errorMessage' | 'retryAfterMs' | 'responseBody'
>

/**
 * Posts statements to a learning record store (xAPI 1.0.3) through the egress guard, under the rules of a webhook: a redirect is not followed,
 * and the beginning of the response is read. Throws what `postWebhook` throws.
 */
export async function postStatements(
  egress: Egress,
  { url, username, password, statements, ...request }: StatementsRequest,
): Promise<StatementsResponse> {
  const { accountId, signal } = request
  const { responseStatus, errorCode, errorMessage, retryAfterMs, responseBody } = await postWebhook(
    egress,
    {
      url: statementsUrl(url),
      headers: {
        'Content-Type': 'application/json',
        'X-Experience-API-Version': XAPI_VERSION,
        Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'User-Agent': 'Service-Statements/1.0',
      },
      body: JSON.stringify(statements),
      deadlineMs: request.deadlineMs ?? WEBHOOK_DEADLINE_MS,
      lookupDeadlineMs: request.lookupDeadlineMs ?? WEBHOOK_LOOKUP_DEADLINE_MS,
      signal,
      accountId,
    },
  )
  const start = responseBody?.slice(0, STORE_RESPONSE_MAX_LENGTH).toWellFormed() ?? null
  return { responseStatus, errorCode, errorMessage, retryAfterMs, responseBody: start }
}
