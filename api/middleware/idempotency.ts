import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import type { EntityManager } from '../../db/database.ts'
import { claimKey, releaseKey, storeAnswer } from '../../db/idempotency.ts'
import type { IdempotencyScope } from '../../db/idempotency.ts'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../../domain/limits.ts'
import { seal, unseal } from '../../security/sealing.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import { accountIdOf } from './authenticate.ts'

export interface Answer {
  status: number
  body: unknown
}

/** Runs `work` in a transaction that also keeps its answer under the request's Idempotency-Key. */
export type Commit = (work: (em: EntityManager) => Promise<Answer>) => Promise<Answer>

/**
 * Answers a POST once for each Idempotency-Key (design, section 7). `handle` does what may fail
 * without a trace first, then calls `commit` once: the work and the stored answer are one
 * transaction, so a crash leaves both or neither. Where `handle` throws, the key is free again.
 */
export async function answerOnce(
  deps: Pick<ApiDeps, 'db' | 'masterKeys'>,
  request: Request,
  response: Response,
  handle: (commit: Commit) => Promise<Answer>,
): Promise<void> {
  const scope = scopeOf(request, response)
  const em = deps.db.em.fork()
  if (scope === null) return send(response, await handle((work) => em.transactional(work)))
  const context = `idempotency:${scope.accountId}:${scope.route}:${scope.key}`
  const claim = await claimKey(em, scope, fingerprintOf(request))
  if (claim.outcome === 'in_use') throw new ApiError('idempotency_key_in_use')
  if (claim.outcome === 'other_body') throw new ApiError('idempotency_key_reused')
  if (claim.outcome === 'answered') {
    response.set('Idempotent-Replayed', 'true')
    const body = unseal(deps.masterKeys, claim.sealedResponse, context).toString('utf8')
    return send(response, { status: claim.status, body: JSON.parse(body) as unknown })
  }
  try {
    const commit: Commit = (work) =>
      em.transactional(async (tx) => {
        const answer = await work(tx)
        const sealedResponse = seal(deps.masterKeys, JSON.stringify(answer.body), context)
        const stored = { status: answer.status, sealedResponse }
        // Rolls the work back: a request that stalled past its lock has been taken over.
        if (!(await storeAnswer(tx, scope, claim.lockedUntil, stored)))
          throw new ApiError('idempotency_key_in_use')
        return answer
      })
    send(response, await handle(commit))
  } catch (error) {
    await releaseKey(deps.db.em.fork(), scope, claim.lockedUntil)
    throw error
  }
}

function send(response: Response, { status, body }: Answer): void {
  response.status(status).json(body)
}

function scopeOf(request: Request, response: Response): IdempotencyScope | null {
  const header = request.get('Idempotency-Key')
  if (header === undefined) return null
  // Both a bare value and the quoted string of the IETF draft.
  const key = header.trim().replace(/^"(.*)"$/, '$1')
  if (key.length > IDEMPOTENCY_KEY_MAX_LENGTH || !/^[\x20-\x7e]+$/.test(key))
    throw new ApiError('invalid_idempotency_key')
  const route = `${request.method} ${request.baseUrl}${request.path}`
  return { accountId: accountIdOf(response), route, key }
}

const fingerprintOf = (request: Request): string =>
  createHash('sha256')
    .update(JSON.stringify(request.body ?? null))
    .digest('hex')
