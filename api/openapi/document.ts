import { z } from 'zod'
import { createDocument } from 'zod-openapi'
import type { ZodOpenApiObject, ZodOpenApiOperationObject } from 'zod-openapi'
import { fileURLToPath } from 'node:url'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../../domain/limits.ts'
import { EVENT_CATALOG } from '../../views/event-type.ts'
import { withoutSafeBounds } from '../../views/values.ts'
import { errorSchema } from '../api-error.ts'
import { takesIdempotencyKey } from '../operation.ts'
import type { Operation } from '../operation.ts'
import { OPERATIONS } from '../operations.ts'
import { codeSamplesOf } from './code-samples.ts'
import { errorResponsesOf, HEADERS, REPLAYED, headersOf } from './responses.ts'

const OPENAPI_VERSION = '3.1.0'
const API_VERSION = '1.0.0'

/** The OpenAPI document of `operations`, made from their schemas. `apiBase` has no slash at its end. */
export function buildDocument(operations: readonly Operation[], apiBase: string) {
  return createDocument(describeAll(operations, apiBase), { override: withoutSafeBounds })
}

function describeAll(operations: readonly Operation[], apiBase: string): ZodOpenApiObject {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  return {
    openapi: OPENAPI_VERSION,
    info: {
      title: 'Reelgate API',
      version: API_VERSION,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: apiBase }],
    security: [{ apiKey: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...byPath].map(([path, methods]) => [
        path,
        Object.fromEntries(methods.map((one) => [one.method, describe(one, apiBase)])),
      ]),
    ),
    webhooks: Object.fromEntries(
      EVENT_CATALOG.map((event) => [event.type, { post: describeWebhook(event) }]),
    ),
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `rg_live_…`.' },
      },
      headers: HEADERS,
    },
  }
}

function describe(operation: Operation, apiBase: string): ZodOpenApiOperationObject {
  const { params, query, body, answer, status } = operation
  const path = Object.fromEntries(
    Object.entries(params).map(([name, { schema }]) => [name, schema]),
  )
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    'x-codeSamples': codeSamplesOf(operation, apiBase),
    description: [operation.description, `Scope: \`${operation.scope}\`.`]
      .filter(Boolean)
      .join('\n\n'),
    requestParams: {
      ...(Object.keys(params).length > 0 && { path: z.object(path) }),
      ...(query && { query }),
      ...(takesIdempotencyKey(operation) && { header: idempotencyHeader }),
    },
    // A body is optional if an empty object is valid.
    ...(body && {
      requestBody: { required: !body.safeParse({}).success, content: jsonOf(body) },
    }),
    responses: {
      [status]: {
        description: 'Success.',
        headers: { ...headersOf(), ...(takesIdempotencyKey(operation) && REPLAYED) },
        content: jsonOf(answer),
      },
      ...errorResponsesOf(operation),
    },
  }
}

function describeWebhook({
  type,
  sentWhen,
  envelope,
  example,
}: (typeof EVENT_CATALOG)[number]): ZodOpenApiOperationObject {
  return {
    operationId: `on_${type.replace('.', '_')}`,
    summary: type,
    description: sentWhen,
    tags: ['Events'],
    requestParams: { header: deliveryHeaders },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: envelope, example } },
    },
    responses: { '2XX': { description: 'Accepted, within 15 seconds.' } },
  }
}

const jsonOf = (schema: z.ZodType) => ({ 'application/json': { schema } })

const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .min(1)
    .max(IDEMPOTENCY_KEY_MAX_LENGTH)
    .optional()
    .meta({
      description: 'A unique string for each logical request. Send the same string to repeat it.',
    }),
})

const deliveryHeaders = z.object({
  'Service-Signature': z.string().meta({ example: 't=1767225600,v1=5257a869…' }),
  'Service-Event-Type': z.string(),
  'Service-Delivery-Id': z.int(),
})

/** The introduction of the documentation, in Markdown. */
const INTRODUCTION = `Video hosting with encrypted playback: post a link to a video file, wait until the video is \`ready\`, embed it.

**Authentication.** Send \`Authorization: Bearer <API_KEY>\` with every call. A key has scopes; each operation names the scope that it requires.

**Errors.** Bodies are \`{"error": {"type", "code", "message", "param"?, "request_id", "doc_url"}}\`. Programs should test the code: [all codes](/docs/errors).

**Idempotency.** Every POST accepts an \`Idempotency-Key\`: for 24 hours, the same key with the same body returns the same answer, and the work is done once.

**Rate limits.** 120 requests a minute and 10,000 a day for each key; \`RateLimit\` shows what is left, and a 429 has \`Retry-After\`.

**Lists.** Newest first, \`limit\` (1 to 100, default 10), \`starting_after\`, \`ending_before\`, \`has_more\`.

**Webhooks.** [Events](/docs/events) are posted to your endpoints, signed: \`Service-Signature: t=<unix seconds>,v1=<hex>\`, where v1 is the HMAC-SHA256 of \`t + "." + body\` with the endpoint's secret as text. Refuse a \`t\` that differs from your clock by more than 300 seconds, answer 2xx within 15 seconds, and record the event id, because duplicates occur. There is one \`v1\`, unless a rotated secret overlaps with the previous one, which you request with \`overlap_seconds\`.

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
