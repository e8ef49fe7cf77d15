import { changeSettings, StaleSettings } from '../../../commands/settings/edit-settings.ts'
import { findAccount, findAndLockAccount } from '../../../db/accounts/accounts.ts'
import type { EntityManager } from '../../../db/database.ts'
import type { Account } from '../../../db/entities/account.ts'
import { countPlaysWithoutToken } from '../../../db/playback/recent-plays.ts'
import { DOMAINS_BODY_MAX_BYTES } from '../../../domain/limits.ts'
import { ApiError } from '../../../http/api-error.ts'
import { operation, operationFor } from '../../../http/operation.ts'
import {
  playsWithoutTokenSchema,
  playsWithoutTokenView,
} from '../../../views/playback/plays-without-token.ts'
import {
  SETTING_NAMES,
  settingsChangeSchema,
  versionedSettingsSchema,
  versionedSettingsView,
} from '../../../views/player-settings.ts'
import { dashboardHostOf, type DashboardDeps } from '../deps.ts'

const toView = ({ settings, settingsVersion }: Account) =>
  versionedSettingsView({ settings, version: settingsVersion })

const get = operation({
  id: 'getSettings',
  method: 'get',
  path: '/settings',
  tag: 'Settings',
  summary: 'Get the player, watermark, domain and protection settings with their version',
  scope: 'settings:read',
  status: 200,
  response: versionedSettingsSchema,
  errors: ['account_not_found'],
  async handle({ deps, accountId }) {
    const account = await findAccount(deps.db.em.fork(), accountId)
    if (!account) throw new ApiError('account_not_found')
    return toView(account)
  },
})

/** Reads and locks the settings for the audit log, so that nothing changes between its two states. */
async function readSettings(tx: EntityManager, accountId: number) {
  const account = await findAndLockAccount(tx, accountId)
  return account && toView(account)
}

const change = operation({
  id: 'changeSettings',
  method: 'patch',
  path: '/settings',
  tag: 'Settings',
  summary: 'Change some of the settings',
  description:
    '`version` is the one that the change starts from. If the settings have changed since, nothing is saved, and the 409 `stale_settings` carries them in `current`. Only owners change `viewer_data`: to keep less of viewers erases it.',
  scope: 'settings:write',
  body: settingsChangeSchema,
  bodyMaxBytes: DOMAINS_BODY_MAX_BYTES,
  status: 200,
  response: versionedSettingsSchema,
  current: versionedSettingsSchema,
  audit: { action: 'settings.update', fields: SETTING_NAMES, before: readSettings },
  errors: ['account_not_found', 'stale_settings'],
  async handle({ accountId, caller, body: { version, ...change }, commit }) {
    try {
      return await commit(async (tx) => {
        if (change.viewer_data) await caller.requireIn(tx, { scope: 'viewers:erase' })
        const edit = await changeSettings(tx, accountId, { version, change })
        if (!edit) throw new ApiError('account_not_found')
        return versionedSettingsView(edit)
      })
    } catch (error) {
      if (!(error instanceof StaleSettings)) throw error
      throw new ApiError(error.code, { current: versionedSettingsView(error.current) })
    }
  },
})

const playsWithoutToken = operationFor<DashboardDeps>()({
  id: 'countPlaysWithoutToken',
  method: 'get',
  path: '/settings/plays-without-token',
  tag: 'Settings',
  summary: 'Count the plays of the last day that had no valid viewer token',
  description: 'For a warning before tokens are required. Plays in the dashboard are not counted.',
  scope: 'settings:read',
  status: 200,
  response: playsWithoutTokenSchema,
  async handle({ deps, accountId }) {
    const count = await countPlaysWithoutToken(deps.db.em.fork(), accountId, dashboardHostOf(deps))
    return playsWithoutTokenView(count)
  },
})

export const settingsOperations = [get, change, playsWithoutToken]
