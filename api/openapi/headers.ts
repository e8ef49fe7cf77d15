import type { ErrorCode } from '../../domain/error-codes.ts'

const text = { schema: { type: 'string' }, required: true } as const

/** What answers carry; where one is named, it is there. */
export const HEADERS = {
  'Request-Id': { ...text, description: 'Names this request.' },
  'RateLimit-Policy': { ...text, description: 'The quotas of the key.' },
  RateLimit: { ...text, description: 'What is left of them, and for how long.' },
  'Retry-After': { ...text, description: 'Seconds after which the request may come again.' },
} as const

/** Answers with one of these may come before the key was found, and so without its limits. */
const BEFORE_THE_KEY: ErrorCode[] = [
  'missing_api_key',
  'invalid_request',
  'service_unavailable',
  'internal_error',
]

/** References to them, for one response; `codes` are those of an error. */
export function headersOf(codes: readonly ErrorCode[] = []) {
  const names: (keyof typeof HEADERS)[] = ['Request-Id']
  if (!codes.some((code) => BEFORE_THE_KEY.includes(code)))
    names.push('RateLimit-Policy', 'RateLimit')
  if (codes.includes('rate_limited')) names.push('Retry-After')
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Of a POST whose answer was kept under its Idempotency-Key, and is given again. */
export const REPLAYED = {
  'Idempotent-Replayed': {
    description: 'true: the work was done before, this is its answer.',
    schema: { type: 'string', const: 'true' },
  },
} as const
