import { z } from 'zod'
import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject } from 'zod-openapi'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../../domain/limits.ts'
import { sizeInWords } from '../../processes/bodies/size-in-words.ts'
import { errorSchemaOf } from '../api-error.ts'
import { bodyMaxBytesOf } from '../body-limit.ts'
import { takesIdempotencyKey, type Operation } from '../operation.ts'
import { plainSchema } from './plain-schema.ts'
import {
  documentedHeaders,
  errorCodesAt,
  errorResponsesOf,
  headersOf,
  referenceTo,
  REPLAYED,
  type Door,
} from './responses.ts'

const OPENAPI_VERSION = '3.1.0'
const API_VERSION = '1.0.0'

type Components = NonNullable<ZodOpenApiObject['components']>

/** A code sample in the form that Redoc reads (`x-codeSamples`). */
export interface CodeSample {
  lang: string
  label: string
  source: string
}

/** What the document of a server says beside its operations. */
export interface DocumentFrame extends Door {
  title: string
  /** Markdown. */
  introduction: string
  servers: NonNullable<ZodOpenApiObject['servers']>
  /** The schemes by name; each call needs all of them. */
  security: NonNullable<Components['securitySchemes']>
  webhooks?: NonNullable<ZodOpenApiObject['webhooks']>
  /** The code samples of an operation. */
  samplesOf?: (operation: Operation) => CodeSample[]
}

/** The OpenAPI document of `operations`, made from their schemas. */
export function describeOperations(operations: readonly Operation[], frame: DocumentFrame) {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  const document: ZodOpenApiObject = {
    openapi: OPENAPI_VERSION,
    info: {
      title: frame.title,
      version: API_VERSION,
      description: frame.introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: frame.servers,
    security: [Object.fromEntries(Object.keys(frame.security).map((name) => [name, []]))],
    tags: tagsOf(operations, frame),
    paths: Object.fromEntries(
      [...byPath].map(([path, methods]) => [
        path,
        Object.fromEntries(methods.map((one) => [one.method, describe(one, frame)])),
      ]),
    ),
    ...(frame.webhooks && { webhooks: frame.webhooks }),
    components: {
      schemas: { Error: errorSchemaOf(errorCodesAt(frame, operations)) },
      securitySchemes: frame.security,
      headers: documentedHeaders(frame),
    },
  }
  return createDocument(document, { override: plainSchema })
}

/** The tag of webhooks: with that of an operation, some generators would write both into one file. */
export const WEBHOOK_TAG = 'Webhook events'

function tagsOf(operations: readonly Operation[], { webhooks }: DocumentFrame) {
  const names = new Set(operations.map(({ tag }) => tag))
  if (webhooks) names.add(WEBHOOK_TAG)
  return [...names].map((name) => ({ name }))
}

function describe(operation: Operation, frame: DocumentFrame): ZodOpenApiOperationObject {
  const { params, query, body, fileMaxBytes, response, status } = operation
  const limit = { description: `At most ${sizeInWords(bodyMaxBytesOf(operation))}.` }
  const path = Object.fromEntries(
    Object.entries(params).map(([name, { schema }]) => [name, schema]),
  )
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(frame.samplesOf && { 'x-codeSamples': frame.samplesOf(operation) }),
    description: descriptionOf(operation),
    requestParams: {
      ...(Object.keys(params).length > 0 && { path: z.object(path) }),
      ...(query && { query }),
      ...headersSentTo(operation),
    },
    // A body is optional if an empty object is valid.
    ...(body && {
      requestBody: { ...limit, required: !body.safeParse({}).success, content: jsonOf(body) },
    }),
    ...(fileMaxBytes !== undefined && { requestBody: { ...limit, required: true, content: FILE } }),
    responses: {
      [status]: {
        description: 'Success.',
        headers: {
          ...headersOf(frame),
          ...(operation.hasEtag && { ETag: referenceTo('ETag') }),
          ...(takesIdempotencyKey(operation) && REPLAYED),
        },
        content: { ...jsonOf(response), ...(operation.csv && CSV) },
      },
      ...(isConditionalRead(operation) && {
        304: {
          description: 'The object has the ETag that If-None-Match names.',
          headers: { ...headersOf(frame), ETag: referenceTo('ETag') },
        },
      }),
      ...errorResponsesOf(frame, operation),
    },
  }
}

const descriptionOf = ({ description, scope, isElevated }: Operation): string =>
  [
    description,
    isElevated ? 'Requires a password or a passkey within the last ten minutes.' : undefined,
    `Scope: \`${scope}\`.`,
  ]
    .filter(Boolean)
    .join('\n\n')

const jsonOf = (schema: z.ZodType) => ({ 'application/json': { schema } })

/** The rows of the response; the columns are their fields. */
const CSV = { 'text/csv': { schema: { type: 'string' as const } } }

/** Bytes need no schema (OpenAPI 3.1, "Considerations for File Uploads"), but generators of clients leave out a body without one. */
const FILE = {
  'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } },
}

const isConditionalRead = ({ method, hasEtag = false }: Operation): boolean =>
  method === 'get' && hasEtag

/** The header parameters of an operation; none for most. */
function headersSentTo(operation: Operation) {
  const headers = {
    ...(takesIdempotencyKey(operation) && idempotencyHeader),
    ...(operation.versioned && ifMatchHeader),
    ...(isConditionalRead(operation) && ifNoneMatchHeader),
  }
  return Object.keys(headers).length > 0 ? { header: z.object(headers) } : {}
}

const ifMatchHeader = {
  'If-Match': z.string().optional().meta({
    description:
      'The ETag of the object that the change starts from. If its fields have changed since, nothing is changed, and the response is 412. Counts of other objects, such as `caption_count`, do not matter.',
  }),
}

const ifNoneMatchHeader = {
  'If-None-Match': z.string().optional().meta({
    description: 'The ETag of a copy. If the object is still the same, the response is 304.',
  }),
}

const idempotencyHeader = {
  'Idempotency-Key': z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .min(1)
    .max(IDEMPOTENCY_KEY_MAX_LENGTH)
    .optional()
    .meta({
      description: 'A unique string for each logical request. Send the same string to repeat it.',
    }),
}
