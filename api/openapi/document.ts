import { z } from 'zod'
import { createDocument } from 'zod-openapi'
import type { ZodOpenApiObject, ZodOpenApiOperationObject } from 'zod-openapi'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../../domain/limits.ts'
import { EVENT_CATALOG } from '../../views/event-type.ts'
import { withoutSafeBounds } from '../../views/json-schema.ts'
import { errorSchema } from '../error-body.ts'
import type { Operation } from '../operation.ts'
import { codeSamplesOf } from './code-samples.ts'
import { errorResponsesOf } from './error-responses.ts'
import { HEADERS, REPLAYED, headersOf } from './headers.ts'
import { INTRODUCTION } from './introduction.ts'

const OPENAPI_VERSION = '3.1.0'
const API_VERSION = '1.0.0'

/** The OpenAPI document of `operations`, from the schemas that validate. `apiBase` has no slash at its end. */
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
      [...byPath].map(([path, there]) => [
        path,
        Object.fromEntries(there.map((one) => [one.method, describe(one, apiBase)])),
      ]),
    ),
    webhooks: Object.fromEntries(
      EVENT_CATALOG.map(({ type, sentWhen, envelope, example }) => [
        type,
        {
          post: {
            operationId: `on_${type.replace('.', '_')}`,
            summary: type,
            description: sentWhen,
            tags: ['Events'],
            requestParams: { header: deliveryHeaders },
            requestBody: {
              required: true,
              content: { 'application/json': { schema: envelope, example } },
            },
            responses: { '2XX': { description: 'Taken; within 15 seconds.' } },
          },
        },
      ]),
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
      ...(query && { query: query as z.ZodObject }),
      ...(operation.method === 'post' && { header: idempotencyHeader }),
    },
    // No body is as good as an empty one.
    ...(body && {
      requestBody: { required: !body.safeParse({}).success, content: jsonOf(body) },
    }),
    responses: {
      [status]: {
        description: 'Done.',
        headers: { ...headersOf(), ...(operation.method === 'post' && REPLAYED) },
        content: jsonOf(answer),
      },
      ...errorResponsesOf(operation),
    },
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
    .meta({ description: 'A unique string per logical request, the same when it is repeated.' }),
})

const deliveryHeaders = z.object({
  'Service-Signature': z.string().meta({ example: 't=1767225600,v1=5257a869…' }),
  'Service-Event-Type': z.string(),
  'Service-Delivery-Id': z.int(),
})
