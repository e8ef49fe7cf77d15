import type { z } from 'zod'
import { ERRORS, type ErrorCode, type ErrorEntry } from '../../domain/error-codes.ts'
import { ApiError, errorBody } from '../api-error.ts'
import { takesIdempotencyKey, type Operation } from '../operation.ts'

/** What the responses of a server have in common. */
export interface Door {
  /** Error codes that every operation can return. */
  codes: readonly ErrorCode[]
  /** Error codes that belong to no operation. */
  otherCodes: readonly ErrorCode[]
  /** True for /v1: responses carry the limits of the key, and codes link to their documentation. */
  isPublicApi: boolean
}

/** The responses of /v1. */
export const API_DOOR: Door = {
  codes: [
    'missing_api_key',
    'invalid_api_key',
    'insufficient_scope',
    'rate_limited',
    'invalid_request',
    'service_unavailable',
    'internal_error',
  ],
  // Of an unknown route, and of Stripe's.
  otherCodes: ['route_not_found', 'method_not_allowed', 'invalid_payment'],
  isPublicApi: true,
}

const ELEVATED: ErrorCode[] = ['reauthentication_required']
const FOR_OPERATORS: ErrorCode[] = ['route_not_found']
const WITH_BODY: ErrorCode[] = [
  'invalid_json',
  'unsupported_media_type',
  'payload_too_large',
  'rate_limited',
  'unknown_parameter',
  'invalid_parameter',
]
const WITH_FILE: ErrorCode[] = ['unsupported_media_type', 'payload_too_large', 'rate_limited']
const WITH_QUERY: ErrorCode[] = ['unknown_parameter', 'invalid_parameter']
const WITH_IDEMPOTENCY: ErrorCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'idempotency_key_in_use',
]
const WITH_IF_MATCH: ErrorCode[] = ['precondition_failed']

/** Every error code of an operation of /v1: those that follow from its parts, and those that it names. */
export const errorCodesOf = (operation: Operation): ErrorCode[] => codesAt(API_DOOR, operation)

/** Every error code of a server. */
export const errorCodesAt = (door: Door, operations: readonly Operation[]): ErrorCode[] => [
  ...new Set([...operations.flatMap((one) => codesAt(door, one)), ...door.otherCodes]),
]

/** The error codes of an operation of any server. */
function codesAt(door: Door, operation: Operation): ErrorCode[] {
  const takesBody = operation.method === 'post' || operation.method === 'patch'
  return [
    ...new Set([
      ...door.codes,
      ...(operation.isElevated ? ELEVATED : []),
      ...(operation.isForOperators ? FOR_OPERATORS : []),
      ...Object.values(operation.params).map(({ notFound }) => notFound),
      ...(takesBody ? (operation.fileMaxBytes === undefined ? WITH_BODY : WITH_FILE) : []),
      ...(operation.query ? WITH_QUERY : []),
      ...(takesIdempotencyKey(operation) ? WITH_IDEMPOTENCY : []),
      ...(operation.versioned ? WITH_IF_MATCH : []),
      ...operation.errors,
    ]),
  ]
}

/**
 * The status of a code in an operation. A code with two has that of a path if a path parameter can cause it, else that
 * of a body.
 */
function statusFor(code: ErrorCode, { params }: Operation): number {
  const { status, bodyStatus }: ErrorEntry = ERRORS[code]
  const isOfPath = Object.values(params).some(({ notFound }) => notFound === code)
  return isOfPath ? status : (bodyStatus ?? status)
}

/** The error responses of an operation by status, each with its codes. */
export function errorResponsesOf(door: Door, operation: Operation) {
  const codes = codesAt(door, operation)
  const byStatus = Map.groupBy(codes, (code) => statusFor(code, operation))
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      status,
      status === STALE_STATUS && operation.current
        ? staleResponse(door, some, operation.current)
        : responseOf(door, some),
    ]),
  )
}

const EXAMPLE_BASE = 'https://api.example.com'
const SHARED_CODES_MAX = 3
const shared = new WeakMap<Door, Map<string, ReturnType<typeof makeResponse> & { id: string }>>()

/** Many operations have the same short set of codes: the document holds that response once. */
function responseOf(door: Door, codes: ErrorCode[]) {
  if (codes.length > SHARED_CODES_MAX) return makeResponse(door, codes)
  const id = codes.join('-or-')
  const known = shared.get(door) ?? new Map()
  const response = known.get(id) ?? { id, ...makeResponse(door, codes) }
  shared.set(door, known.set(id, response))
  return response
}

function makeResponse(door: Door, codes: ErrorCode[]) {
  const [first = 'internal_error'] = codes
  return {
    headers: headersOf(door, codes),
    description: describeCodes(door, codes),
    content: {
      'application/json': {
        example: errorBody(
          new ApiError(first),
          'req_5f0c2f7be04d5628c1d03f1c9a7be04d',
          EXAMPLE_BASE,
        ),
        // A schema of its own for these codes would hide the other fields from generated clients.
        schema: { $ref: '#/components/schemas/Error' },
      },
    },
    'x-error-codes': codes,
  }
}

const describeCodes = ({ isPublicApi }: Door, codes: ErrorCode[]): string =>
  codes.map((one) => (isPublicApi ? `[${one}](/docs/errors#${one})` : one)).join(', ')

const STALE_STATUS = 409

/** The refusal of an older version, with what is stored now. Its schema is a component, by its id. */
function staleResponse(door: Door, codes: ErrorCode[], current: z.ZodType) {
  return {
    headers: headersOf(door, codes),
    description: describeCodes(door, codes),
    content: {
      'application/json': {
        schema: {
          type: 'object' as const,
          properties: {
            error: { $ref: '#/components/schemas/ErrorDetails' },
            current: { $ref: `#/components/schemas/${String(current.meta()?.id)}` },
          },
          required: ['error'],
          additionalProperties: false,
        },
      },
    },
    'x-error-codes': codes,
  }
}

const text = { schema: { type: 'string' }, required: true } as const

/** The headers of responses. */
const HEADERS = {
  'Request-Id': { ...text, description: 'The id of this request.' },
  'RateLimit-Policy': { ...text, description: 'The quotas of the key.' },
  RateLimit: {
    ...text,
    description: 'What is left of each quota, and the seconds until it is full again.',
  },
  'Retry-After': { ...text, description: 'Seconds to wait before the next request.' },
  ETag: { ...text, description: 'The version of the object, for If-Match and If-None-Match.' },
} as const

/** The headers that the responses of a server have. */
export function documentedHeaders({ isPublicApi }: Door): Partial<typeof HEADERS> {
  const { 'Request-Id': requestId, 'Retry-After': retryAfter, ETag } = HEADERS
  return isPublicApi ? HEADERS : { 'Request-Id': requestId, 'Retry-After': retryAfter, ETag }
}

/** Errors that can occur before the key is found. Their responses have no RateLimit headers. */
const BEFORE_THE_KEY: ErrorCode[] = [
  'missing_api_key',
  'invalid_request',
  'service_unavailable',
  'internal_error',
]

/** References to the headers of one response; `codes` are its error codes. */
export function headersOf({ isPublicApi }: Door, codes: readonly ErrorCode[] = []) {
  const names: (keyof typeof HEADERS)[] = ['Request-Id']
  if (isPublicApi && !codes.some((code) => BEFORE_THE_KEY.includes(code)))
    names.push('RateLimit-Policy', 'RateLimit')
  if (codes.includes('rate_limited')) names.push('Retry-After')
  const headers = names.map((name) => [name, referenceTo(name)] as const)
  return { ...Object.fromEntries(headers), ...(codes.includes('idempotency_key_in_use') && IN_USE) }
}

/** Refers to one of `HEADERS`. */
export const referenceTo = (name: keyof typeof HEADERS) => ({
  $ref: `#/components/headers/${name}`,
})

const IN_USE = {
  'Retry-After': {
    schema: { type: 'string' },
    description: 'Of idempotency_key_in_use: seconds to wait before the repeat.',
  },
} as const

/** The header of a stored response that is sent again. */
export const REPLAYED = {
  'Idempotent-Replayed': {
    description: 'true: the response of an earlier request with this key.',
    schema: { type: 'string', const: 'true' },
  },
} as const
