import { Router } from 'express'
import { findAccount } from '../../db/accounts.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import { accountIdOf, requireScope } from '../middleware/authenticate.ts'
import { allowOnly } from '../middleware/methods.ts'

/** /v1/settings/player: all player, subtitle, watermark and protection settings, read-only. */
export function settingsRouter(deps: ApiDeps): Router {
  const router = Router({ caseSensitive: true })
  router
    .route('/player')
    .get(requireScope(deps, 'settings:read'), async (_request, response) => {
      const account = await findAccount(deps.db.em.fork(), accountIdOf(response))
      if (!account) throw new ApiError('invalid_api_key')
      response.json({ object: 'player_settings', ...account.settings })
    })
    .all(allowOnly('GET'))
  return router
}
