import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import { describeOperations, WEBHOOK_TAG } from '../../http/openapi/describe-operations.ts'
import { API_DOOR } from '../../http/openapi/responses.ts'
import type { Operation } from '../../http/operation.ts'
import { EVENT_CATALOG } from '../../views/webhooks/event-type.ts'
import { OPERATIONS } from '../operations.ts'
import { codeSamplesOf } from './code-samples.ts'

/** The OpenAPI document of `operations`, made from their schemas. `apiBase` has no slash at its end. */
export function buildDocument(operations: readonly Operation[], apiBase: string) {
  return describeOperations(operations, {
    ...API_DOOR,
    title: 'Reelgate API',
    introduction: INTRODUCTION,
    servers: [{ url: apiBase }],
    security: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `rg_live_…`.' },
    },
    webhooks: Object.fromEntries(
      EVENT_CATALOG.map((event) => [event.type, { id: idOf(event), post: describeWebhook(event) }]),
    ),
    samplesOf: (operation) => codeSamplesOf(operation, apiBase),
  })
}

/**
 * The name of a webhook among the components. The document refers to it: of a webhook in place, OpenAPI Generator makes a
 * class for calls, which in Python has a syntax error.
 */
const idOf = ({ type }: Pick<CatalogEntry, 'type'>): string => `on_${type.replace('.', '_')}`

type CatalogEntry = (typeof EVENT_CATALOG)[number]

function describeWebhook({
  type,
  sentWhen,
  envelope,
  example,
}: CatalogEntry): ZodOpenApiOperationObject {
  return {
    operationId: idOf({ type }),
    summary: type,
    description: sentWhen,
    tags: [WEBHOOK_TAG],
    // A delivery has a signature, and no API key.
    security: [],
    requestParams: { header: deliveryHeaders },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: envelope, example } },
    },
    responses: { '2XX': { description: 'Accepted, within 15 seconds.' } },
  }
}

const deliveryHeaders = z.object({
  'Service-Signature': z.string().meta({ example: 't=1767225600,v1=5257a869…' }),
  'Service-Event-Type': z.string(),
  'Service-Delivery-Id': z.int(),
})

/** The introduction of the documentation, in Markdown. */
const INTRODUCTION = `Video hosting with encrypted playback: post a link to a video file, wait until the video is \`ready\`, embed it.

**Authentication.** Send \`Authorization: Bearer <API_KEY>\` with every call. A key has scopes; each operation names the scope that it requires.

**Errors.** Bodies are \`{"error": {"type", "code", "message", "param"?, "request_id", "doc_url"}}\`. Programs should test the code: [all codes](/docs/errors).

**Idempotency.** Every POST accepts an \`Idempotency-Key\`: for 24 hours, the same key with the same body returns the same response, and the work is done once.

**Versions.** Responses with a video, a folder or a webhook endpoint have an \`ETag\`. A PATCH or DELETE with \`If-Match\` changes the object only if its fields are still those of the ETag, and gets 412 otherwise; an \`Idempotency-Key\` beside it lets you repeat such a request. A GET with \`If-None-Match\` gets 304 while the object is the same; it counts as a request.

**Rate limits.** 120 requests a minute and 10,000 a day for each key; \`RateLimit\` shows what is left, and a 429 has \`Retry-After\`.

**Lists.** Newest first, \`limit\` (1 to 100, default 10), \`starting_after\`, \`ending_before\`, \`has_more\`. Videos have filters, other orders and cursors besides.

**Webhooks.** [Events](/docs/events) are posted to your endpoints, signed: \`Service-Signature: t=<unix seconds>,v1=<hex>\`, where v1 is the HMAC-SHA256 of \`t + "." + body\` with the endpoint's secret as text. Refuse a \`t\` that differs from your clock by more than 300 seconds, respond with 2xx within 15 seconds, and record the event id, because duplicates occur. There is one \`v1\`, unless a rotated secret overlaps with the previous one, which you request with \`overlap_seconds\`.

**Events.** \`GET /v1/events\` lists past events, and with \`wait_seconds\` it waits for the next one. Use it without a public address, or to catch up.`

/** The address of the API in the default configuration. */
const LOCAL_BASE = 'http://127.0.0.1:8080'

/** The copy in the repository, which shows reviewers the effect of a change and feeds generators. */
export const committedDocumentFile = fileURLToPath(
  new URL('../../docs/openapi.json', import.meta.url),
)

/** The expected content of that copy. */
export const committedDocument = (): string =>
  `${JSON.stringify(buildDocument(OPERATIONS, LOCAL_BASE), null, 2)}\n`
