import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import {
  claimKey,
  releaseKey,
  storeResponse,
  type Claim,
  type IdempotencyScope,
} from '../../db/accounts/write-idempotency.ts'
import { forkForRequest } from '../../db/database.ts'
import { createByteAllowance } from '../../domain/accounts/byte-allowance.ts'
import {
  IDEMPOTENCY_BYTES_PER_DAY,
  IDEMPOTENCY_FREE_BYTES,
  IDEMPOTENCY_KEY_MAX_LENGTH,
} from '../../domain/limits.ts'
import { getRequestId } from '../../processes/request-log.ts'
import { seal, unseal } from '../../security/sealing/sealing.ts'
import { idempotentResponseContext } from '../../security/sealing/secret-contexts.ts'
import { ApiError } from '../api-error.ts'
import type { OperationDeps } from '../deps.ts'
import type { Commit } from '../operation.ts'

type Deps = Pick<OperationDeps, 'db' | 'masterKeys'>

/** What the long responses of an account that this process keeps may take; short ones are bounded by the number of requests (ADR 0077). */
export const responseAllowance = createByteAllowance(IDEMPOTENCY_BYTES_PER_DAY)

/** A request that writes, and the account that its key counts for. */
interface Write {
  request: Request
  response: Response
  accountId: number
}

/**
 * Responds to a request that writes once for each Idempotency-Key (contract, "Videos"). `handle` first runs the checks that write
 * nothing, then calls `commit` once. The work and the stored response are one transaction, so a crash leaves both or
 * neither. If `handle` throws, the key is released.
 */
export async function withIdempotency(
  deps: Deps,
  write: Write,
  status: number,
  handle: (commit: Commit) => Promise<unknown>,
): Promise<void> {
  const { request, response } = write
  const scope = scopeOf(write)
  if (scope === null) {
    response
      .status(status)
      .json(
        await handle((work) => forkForRequest(deps.db, getRequestId(response)).transactional(work)),
      )
    return
  }
  const claim = await claimKey(deps.db.em.fork(), scope, fingerprintOf(request.body))
  switch (claim.outcome) {
    case 'in_use':
      throw keyInUse()
    case 'other_body':
      throw new ApiError('idempotency_key_reused')
    case 'completed':
      response.set('Idempotent-Replayed', 'true').status(claim.status)
      if (claim.etag !== null) response.set('ETag', claim.etag)
      response.json(openResponse(deps, scope, claim.sealedResponse))
      return
    case 'claimed':
      response.status(status).json(await work(deps, scope, claim, response, status, handle))
  }
}

async function work(
  deps: Deps,
  scope: IdempotencyScope,
  { lockedUntil }: Extract<Claim, { outcome: 'claimed' }>,
  response: Response,
  status: number,
  handle: (commit: Commit) => Promise<unknown>,
): Promise<unknown> {
  let isStored = false
  const commit: Commit = async (write) => {
    const reply = await forkForRequest(deps.db, getRequestId(response)).transactional(
      async (tx) => {
        const made = await write(tx)
        const sealedResponse = seal(
          deps.masterKeys,
          JSON.stringify(made),
          idempotentResponseContext(scope),
        )
        requireRoom(scope.accountId, sealedResponse.length)
        // Rolls the work back, because another request has taken over the key of one that stalled past its lock.
        const etag = response.get('ETag') ?? null
        if (!(await storeResponse(tx, scope, lockedUntil, { status, sealedResponse, etag })))
          throw keyInUse()
        return made
      },
    )
    isStored = true
    return reply
  }
  try {
    const reply = await handle(commit)
    // A handler that wrote nothing did not call `commit`: its response is stored here.
    return isStored ? reply : await commit(async () => reply)
  } catch (error) {
    // If the database is unavailable too, the lock expires.
    await releaseKey(deps.db.em.fork(), scope, lockedUntil).catch(() => {})
    throw error
  }
}

/** Throws `rate_limited`, which rolls the work back: a response that was not kept could not be repeated. */
function requireRoom(accountId: number, bytes: number): void {
  if (bytes <= IDEMPOTENCY_FREE_BYTES) return
  const waitMs = responseAllowance.take(accountId, bytes - IDEMPOTENCY_FREE_BYTES, Date.now())
  if (waitMs === 0) return
  const seconds = Math.ceil(waitMs / 1000)
  throw new ApiError('rate_limited', {
    message: `The responses that are kept for Idempotency-Keys of this account are too long. Nothing was changed. Try again after ${seconds} s, or without the key.`,
    headers: { 'Retry-After': String(seconds) },
  })
}

/** Most requests end within a second. */
const IN_USE_RETRY_AFTER = { 'Retry-After': '1' }

const keyInUse = (): ApiError =>
  new ApiError('idempotency_key_in_use', { headers: IN_USE_RETRY_AFTER })

function openResponse(deps: Deps, scope: IdempotencyScope, sealed: string): unknown {
  const reply: unknown = JSON.parse(
    unseal(deps.masterKeys, sealed, idempotentResponseContext(scope)).toString('utf8'),
  )
  return reply
}

function scopeOf({ request, accountId }: Write): IdempotencyScope | null {
  const [header, ...others] = request.headersDistinct['idempotency-key'] ?? []
  if (header === undefined) return null
  if (others.length > 0)
    throw new ApiError('invalid_idempotency_key', { message: 'Send one Idempotency-Key.' })
  // Accepts a bare value and the quoted string of the IETF draft.
  const key = header.trim().replace(/^"(.*)"$/, '$1')
  if (key.length > IDEMPOTENCY_KEY_MAX_LENGTH || !/^[\x20-\x7e]+$/.test(key))
    throw new ApiError('invalid_idempotency_key')
  const route = `${request.method} ${request.baseUrl}${request.path}`
  return { accountId, route, key }
}

/** Hashes a file as it is, and a JSON document regardless of white space and of the order of fields. */
const fingerprintOf = (body: unknown): string =>
  createHash('sha256')
    .update(Buffer.isBuffer(body) ? body : canonicalJson(body))
    .digest('hex')

function canonicalJson(body: unknown): string {
  return JSON.stringify(body ?? {}, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
