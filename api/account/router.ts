import { Router } from 'express'
import { findAccount, findActivePlan } from '../../db/accounts.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import { accountIdOf, requireScope } from '../middleware/authenticate.ts'
import { allowOnly } from '../middleware/methods.ts'

/** /v1/account: who the key belongs to, with its integer id. */
export function accountRouter(deps: ApiDeps): Router {
  const router = Router({ caseSensitive: true })
  router
    .route('/')
    .get(requireScope(deps, 'account:read'), async (_request, response) => {
      const em = deps.db.em.fork()
      const account = await findAccount(em, accountIdOf(response))
      if (!account) throw new ApiError('invalid_api_key')
      const plan = await findActivePlan(em, account.id, new Date())
      response.json({
        id: account.id,
        object: 'account',
        name: account.name,
        plan: plan && { protection: plan.protection },
        created_at: isoUtc(account.createdAt),
      })
    })
    .all(allowOnly('GET'))
  return router
}
