import {
  Router,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { forkForRequest } from '../db/database.ts'
import { getRequestId, setOperationId } from '../processes/request-log.ts'
import { ApiError } from './api-error.ts'
import { audited } from './audit.ts'
import { bodyMaxBytesOf, bodyOwnersOf } from './body-limit.ts'
import type { CallerOf } from './caller.ts'
import { prefersCsv, tableOf } from './csv.ts'
import type { OperationDeps } from './deps.ts'
import { fileBody } from './middleware/file-body.ts'
import { allowOnly } from './middleware/http-rules.ts'
import { withIdempotency } from './middleware/idempotency.ts'
import { jsonBody, type BodySource } from './middleware/json-body.ts'
import { parseBody, parseQuery } from './middleware/validate.ts'
import { takesIdempotencyKey, type Commit, type Operation } from './operation.ts'
import { isNotModified, toEtag, withPrecondition } from './preconditions.ts'
import { withRights } from './rights.ts'
import { UnreadResponses } from './unread-responses.ts'

/**
 * A router with every operation for the callers that `callerOf` returns; responds with 405 and Allow to a method that a
 * path does not have.
 */
export function mountOperations(
  deps: OperationDeps,
  operations: readonly Operation[],
  callerOf: CallerOf,
): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const source = {
    bodies: deps.bodies,
    ownersOf: (_request: Request, response: Response) => bodyOwnersOf(callerOf(response)),
  }
  const unread = new UnreadResponses()
  const byPath = Map.groupBy(operations, ({ path }) => path)
  for (const [path, methods] of byPath) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
    for (const operation of methods)
      route[operation.method](
        beginOperation(operation, callerOf),
        ...bodyReadersOf(operation, source),
        handlerOf(deps, operation, callerOf, unread),
      )
    route.all(allowOnly(...methods.map(({ method }) => method.toUpperCase())))
  }
  return router
}

const NO_FILE = Buffer.alloc(0)

function bodyReadersOf(operation: Operation, source: BodySource): RequestHandler[] {
  if (operation.method === 'get' || operation.method === 'delete') return []
  const read = operation.fileMaxBytes === undefined ? jsonBody : fileBody
  return [read(source, bodyMaxBytesOf(operation))]
}

// Before the body is read: a caller without the scope sends none in vain.
const beginOperation =
  (
    { id, scope, isElevated = false, isForOperators = false }: Operation,
    callerOf: CallerOf,
  ): RequestHandler =>
  (_request: Request, response: Response, next: NextFunction) => {
    setOperationId(response, id)
    const caller = callerOf(response)
    if (isForOperators) caller.requireOperator()
    caller.requireScope(scope)
    if (isElevated) caller.requireElevation()
    next()
  }

function handlerOf(
  deps: OperationDeps,
  operation: Operation,
  callerOf: CallerOf,
  unread: UnreadResponses,
): RequestHandler {
  return async (request: Request, response: Response) => {
    const caller = callerOf(response)
    const { accountId } = caller
    if (operation.method !== 'get') await caller.recheck(operation.scope, operation.isForOperators)
    const params = parseParameters(operation, request)
    const checked = (commit: Commit): Commit =>
      withPrecondition(commit, operation, { request, accountId, params })
    const commitOf = (commit: Commit): Commit =>
      audited(checked(withRights(commit, operation, caller)), operation, caller, params)
    const call = {
      deps,
      accountId,
      caller,
      params,
      query: operation.query && parseQuery(operation.query, request.query),
      body: parseBody(operation, request.body),
      file: Buffer.isBuffer(request.body) ? request.body : NO_FILE,
      withEtag: <View extends object>(version: number, view: View): View => {
        response.set('ETag', toEtag(version, view))
        return view
      },
      hold: (bytes: number) => deps.bodies.hold(response, bytes, bodyOwnersOf(caller)),
      whenGone: () => closeOf(response),
    }
    if (takesIdempotencyKey(operation))
      return withIdempotency(deps, { request, response, accountId }, operation.status, (commit) =>
        operation.handle({ ...call, commit: commitOf(commit) }),
      )
    const reply = await operation.handle({
      ...call,
      commit: commitOf((work) =>
        forkForRequest(deps.db, getRequestId(response)).transactional(work),
      ),
    })
    if (operation.method === 'get' && isNotModified(request, response.get('ETag')))
      return void response.status(304).end()
    const owners = bodyOwnersOf(caller)
    // What a write has changed stays changed, so its response is sent.
    if (operation.method === 'get') unread.requireRoom(owners)
    sendReply(operation, request, response, reply)
    unread.count(response, owners)
  }
}

function sendReply(
  { status, csv }: Operation,
  request: Request,
  response: Response,
  reply: unknown,
): void {
  if (csv) response.vary('Accept')
  if (csv && prefersCsv(request))
    response
      .status(status)
      .type('text/csv')
      .send(tableOf(csv, Object(reply)))
  else response.status(status).json(reply)
}

function closeOf(response: Response): AbortSignal {
  const gone = new AbortController()
  if (response.closed) gone.abort()
  response.once('close', () => gone.abort())
  return gone.signal
}

function parseParameters({ params }: Operation, request: Request): Record<string, unknown> {
  const parsed: Record<string, unknown> = {}
  for (const [name, { schema, notFound }] of Object.entries(params)) {
    const result = schema.safeParse(request.params[name])
    if (!result.success) throw new ApiError(notFound)
    parsed[name] = result.data
  }
  return parsed
}
