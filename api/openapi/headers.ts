/** What every answer carries. */
export const HEADERS = {
  'Request-Id': { description: 'Names this request.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'The quotas of the key.', schema: { type: 'string' } },
  RateLimit: { description: 'What is left of them, and for how long.', schema: { type: 'string' } },
} as const

/** References to them, for one response. */
export const headersOf = () =>
  Object.fromEntries(
    Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
