import { findAccount } from '../../db/accounts.ts'
import { playerSettingsObjectSchema, playerSettingsView } from '../../views/player-settings.ts'
import { ApiError } from '../api-error.ts'
import { operation } from '../operation.ts'

const get = operation({
  id: 'getPlayerSettings',
  method: 'get',
  path: '/v1/settings/player',
  tag: 'Account',
  summary: 'Get all player, subtitle, watermark and protection settings',
  description: 'Read-only: the operator changes them with `reelgate settings set`.',
  scope: 'settings:read',
  status: 200,
  answer: playerSettingsObjectSchema,
  async handle({ deps, accountId }) {
    const account = await findAccount(deps.db.em.fork(), accountId)
    if (!account) throw new ApiError('invalid_api_key')
    return playerSettingsView(account.settings)
  },
})

export const settingsOperations = [get]
