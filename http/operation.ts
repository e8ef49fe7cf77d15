import type { z } from 'zod'
import type { EntityManager } from '../db/database.ts'
import type { ErrorCode } from '../domain/error-codes.ts'
import type { Caller, Rights } from './caller.ts'
import type { CsvRule } from './csv.ts'
import type { OperationDeps } from './deps.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'

/** A variable part of a path; text that the schema refuses gets `notFound`. */
export interface PathParameter<T = unknown> {
  schema: z.ZodType<T>
  notFound: ErrorCode
}

/**
 * Runs the writes of one call in a transaction and resolves to the result of `work`, which is the response. For a POST
 * with an Idempotency-Key, the same transaction stores the response. It begins with a check of what the caller may do
 * (`rights.ts`), so an operation that writes cannot forget it.
 */
export type Commit = <T>(work: (em: EntityManager) => Promise<T>) => Promise<T>

type Parameters = Record<string, PathParameter>
type ParameterValues<P extends Parameters> = { [K in keyof P]: z.output<P[K]['schema']> }
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** The arguments of a handler: the input is parsed, the caller carries the scope, the account is known. */
interface Call<P extends Parameters, Q, B, D = OperationDeps> {
  deps: D
  accountId: number
  caller: Caller
  params: ParameterValues<P>
  query: Parsed<Q>
  body: Parsed<B>
  /** The body of an operation that takes a file; empty for any other. */
  file: Buffer
  commit: Commit
  withEtag: WithEtag
  /** Counts bytes of memory for the caller until the response is sent; throws if its share is used up. */
  hold: (bytes: number) => void
  /** Returns a signal that aborts when the client disconnects; for responses that wait. */
  whenGone: () => AbortSignal
}

/** Sets the ETag of the response, by the version of the object's row, and returns the object. */
export type WithEtag = <View extends object>(version: number, view: View) => View

/** What the audit log says about a write. Only the fields it names reach the log. */
interface AuditRule<Params = Record<string, unknown>, Result = unknown> {
  /** Noun and verb, such as `video.update`. */
  action: string
  /** Fields of the JSON shape, without secrets. */
  fields: readonly string[]
  /**
   * Reads the JSON shape before the change, in its transaction; for a change or a deletion of something
   * that exists. A method, not a property: TypeScript then accepts a rule of more specific parameters.
   */
  before?(tx: EntityManager, accountId: number, params: Params): Promise<object | null>
  /** Takes the JSON shape after the change from the response; by default it is the whole response. */
  after?(response: Result, params: Params): object | null
}

/**
 * Makes a PATCH or a DELETE honour If-Match, and an Idempotency-Key: the repeat of a request whose response was lost would
 * not match any more.
 */
interface VersionRule<Params = Record<string, unknown>> {
  /** Locks the row that the operation changes and resolves to its version; null if there is none. */
  lock(tx: EntityManager, accountId: number, params: Params): Promise<number | null>
}

interface OperationFacts extends Rights {
  /** operationId of the OpenAPI document. */
  id: string
  method: Method
  /** With `{name}` for each parameter. */
  path: `/${string}`
  tag: string
  summary: string
  description?: string
  /** True if the caller must have proved within minutes who it is; an API key cannot. */
  isElevated?: boolean
  /**
   * True if the body carries a password or another secret. An Idempotency-Key is then ignored: it would store a fast hash of
   * the body.
   */
  takesSecret?: boolean
  /** Set if the body is not JSON but a file, of at most this many bytes. */
  fileMaxBytes?: number
  /** The largest JSON body in bytes; 64 KiB unless its schema allows more. */
  bodyMaxBytes?: number
  /** The status of a response that is not an error. */
  status: 200 | 201 | 202
  /** Codes beyond those that follow from the parts of the operation (`openapi/responses.ts`). */
  errors?: ErrorCode[]
  /** True if the handler calls `withEtag`. A GET then honours If-None-Match. */
  hasEtag?: boolean
  /** The schema of `current`, which a 409 for an older version carries; it has an id and is a response too. */
  current?: z.ZodType
}

interface OperationSpec<P extends Parameters, Q, B, A extends z.ZodType, D> extends OperationFacts {
  params?: P
  query?: Q
  body?: B
  response: A
  /** Set if a client may ask for the response as CSV, by its header Accept. */
  csv?: CsvRule<z.output<A>>
  /** Every operation that writes has a rule, or null for one that changes nothing of the record. */
  audit?: AuditRule<ParameterValues<P>, z.output<A>> | null
  versioned?: VersionRule<ParameterValues<P>>
  handle: (call: Call<P, Q, B, D>) => Promise<z.output<A>>
}

/** One method of one path: its checks, its documentation and its handler. */
export interface Operation extends OperationFacts {
  errors: ErrorCode[]
  params: Parameters
  query?: z.ZodObject | undefined
  body?: z.ZodType | undefined
  response: z.ZodType
  csv?: CsvRule
  audit?: AuditRule | null
  versioned?: VersionRule
  /** A method, not a property: TypeScript then accepts a handler of more specific parts. */
  handle(call: Call<Parameters, z.ZodType, z.ZodType>): Promise<unknown>
}

/**
 * Returns a function that defines operations whose handlers need `Deps`. Mount them only where these are
 * given: TypeScript does not check it.
 */
export const operationFor =
  <Deps extends OperationDeps>() =>
  <
    A extends z.ZodType,
    P extends Parameters = Record<never, never>,
    Q extends z.ZodObject | undefined = undefined,
    B extends z.ZodType | undefined = undefined,
  >(
    spec: OperationSpec<P, Q, B, A, Deps>,
  ): Operation => ({ errors: [], params: {}, ...spec })

/** Defines an operation; its handler is typed by its schemas. */
export const operation = operationFor<OperationDeps>()

/** Whether an operation runs once for each Idempotency-Key. */
export const takesIdempotencyKey = ({
  method,
  takesSecret = false,
  versioned,
}: Pick<Operation, 'method' | 'takesSecret' | 'versioned'>): boolean =>
  versioned !== undefined || (method === 'post' && !takesSecret)
