import type { z } from 'zod'
import type { EntityManager } from '../db/database.ts'
import type { ErrorCode } from '../domain/error-codes.ts'
import type { Scope } from '../domain/scopes.ts'
import type { ApiDeps } from './deps.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'

/** A part of a path that the caller chooses; text that cannot be one is answered with `notFound`. */
export interface PathParameter<T = unknown> {
  schema: z.ZodType<T>
  notFound: ErrorCode
}

/**
 * Runs the writes of one call in a transaction and resolves to what it made of them, which is the
 * answer. For a POST the answer is kept under its Idempotency-Key in that same transaction.
 */
export type Commit = <T>(work: (em: EntityManager) => Promise<T>) => Promise<T>

type Parameters = Record<string, PathParameter>
type ParameterValues<P extends Parameters> = { [K in keyof P]: z.output<P[K]['schema']> }
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** What a handler gets: everything is parsed, the key carries the scope, the account is known. */
interface Call<P extends Parameters, Q, B> {
  deps: ApiDeps
  accountId: number
  params: ParameterValues<P>
  query: Parsed<Q>
  body: Parsed<B>
  commit: Commit
  /** A signal that aborts when the client has gone; for answers that take their time. */
  whenGone: () => AbortSignal
}

interface OperationFacts {
  /** operationId of the OpenAPI document. */
  id: string
  method: Method
  /** With `{name}` for each parameter. */
  path: `/v1/${string}`
  tag: string
  summary: string
  description?: string
  scope: Scope
  /** Of the answer that is no error. */
  status: 200 | 201 | 202
  /** Beside those that follow from the parts of the operation (`openapi/error-responses.ts`). */
  errors?: ErrorCode[]
}

interface OperationSpec<P extends Parameters, Q, B, A extends z.ZodType> extends OperationFacts {
  params?: P
  query?: Q
  body?: B
  answer: A
  handle: (call: Call<P, Q, B>) => Promise<z.output<A>>
}

/** One method of one path: what is checked, what is documented and what is done, in one place. */
export interface Operation extends OperationFacts {
  errors: ErrorCode[]
  params: Parameters
  query?: z.ZodType
  body?: z.ZodType
  answer: z.ZodType
  handle: (call: Call<Parameters, z.ZodType, z.ZodType>) => Promise<unknown>
}

/** Defines an operation; the types of its parts meet here and are forgotten behind it. */
export function operation<
  A extends z.ZodType,
  P extends Parameters = Record<never, never>,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(spec: OperationSpec<P, Q, B, A>): Operation {
  return { errors: [], params: {}, ...spec } as unknown as Operation
}
