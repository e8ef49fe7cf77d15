/** What kind of error a code is (contract, "Errors"). */
const KINDS = [
  'authentication_error',
  'invalid_request_error',
  'conflict_error',
  'rate_limit_error',
  'api_error',
] as const

export type ProblemKind = (typeof KINDS)[number]

/** The code of a call that got no response. */
export const UNREACHABLE = 'unreachable'
/** The code of a response that is not the error body of the API. */
export const UNEXPECTED = 'unexpected_answer'

/** The code of a request of a page whose member is no longer the one who is signed in. */
export const OTHER_MEMBER = 'other_member'

interface Details {
  kind: ProblemKind
  code: string
  message: string
  /** HTTP status; 0 without a response. */
  status: number
  /** The field of the request that the problem is about. */
  field: string | null
  requestId: string | null
  /** For `external_id_taken`: the id of the video that has it. */
  holder?: string | null
  /** For `OTHER_MEMBER`: the address of the member who is signed in. */
  signedInAs?: string | null
}

/** Why a call failed: its code, the cause in the server's words, the field and the request id. */
export class Problem extends Error implements Details {
  override name = 'Problem'
  readonly kind: ProblemKind
  readonly code: string
  readonly status: number
  readonly field: string | null
  readonly requestId: string | null
  readonly holder: string | null
  readonly signedInAs: string | null

  constructor({ kind, code, message, status, field, requestId, ...more }: Details) {
    super(message)
    this.kind = kind
    this.code = code
    this.status = status
    this.field = field
    this.requestId = requestId
    this.holder = more.holder ?? null
    this.signedInAs = more.signedInAs ?? null
  }
}

/** The problem that an error response describes. `body` is its JSON, or text. */
export function problemFromResponse(body: unknown, response: Response): Problem {
  const error = fieldOf(body, 'error')
  const kind = KINDS.find((one) => one === fieldOf(error, 'type'))
  return new Problem({
    kind: kind ?? 'api_error',
    code: asString(fieldOf(error, 'code')) ?? UNEXPECTED,
    message: asString(fieldOf(error, 'message')) ?? '',
    status: response.status,
    field: asString(fieldOf(error, 'param')),
    requestId: asString(fieldOf(error, 'request_id')) ?? response.headers.get('Request-Id'),
    holder: asString(fieldOf(error, 'holder_id')),
    signedInAs: asString(fieldOf(fieldOf(body, 'current'), 'email')),
  })
}

/** The problem behind anything that was thrown. `fetch` throws a TypeError when there is no response. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const code = error instanceof TypeError ? UNREACHABLE : UNEXPECTED
  const message = error instanceof Error ? error.message : String(error)
  return new Problem({ kind: 'api_error', code, message, status: 0, field: null, requestId: null })
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const asString = (value: unknown): string | null => (typeof value === 'string' ? value : null)
