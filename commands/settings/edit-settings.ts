import { findAndLockAccount } from '../../db/accounts/accounts.ts'
import { updateSettings } from '../../db/accounts/write-accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import { isSame } from '../../domain/accounts/audit.ts'
import {
  withChange,
  type PlayerSettings,
  type SettingsChange,
  type VersionedSettings,
} from '../../domain/settings/player-settings.ts'
import { Refusal } from '../refusal.ts'
import { followTotalsOnly } from '../viewers/forget-viewers.ts'

/** The refusal of a change that starts from an older version. */
export class StaleSettings extends Refusal {
  override name = 'StaleSettings'
  /** What is stored now. */
  readonly current: VersionedSettings

  constructor(current: VersionedSettings) {
    super('stale_settings')
    this.current = current
  }
}

/** An edit: the settings before it, and after it with their version. */
export interface SettingsEdit extends VersionedSettings {
  before: PlayerSettings
}

/**
 * Changes the player settings of an account with `edit`, which returns the new settings or throws to
 * leave them unchanged. The version grows if they differ. The account's row is locked during the edit, so of
 * two concurrent edits the second starts from the result of the first. Returns null when there is no such account.
 */
export async function editSettings(
  em: EntityManager,
  accountId: number,
  edit: (settings: PlayerSettings, version: number) => PlayerSettings,
): Promise<SettingsEdit | null> {
  return em.transactional(async (tx) => {
    const account = await findAndLockAccount(tx, accountId)
    if (!account) return null
    const before = account.settings
    const settings = edit(before, account.settingsVersion)
    if (!isSame(before, settings)) await updateSettings(tx, account, settings)
    await followTotalsOnly(tx, accountId, { before, after: settings })
    return { before, settings, version: account.settingsVersion }
  })
}

/**
 * Makes a change that starts from `version`. Refuses with `stale_settings` if the settings have another
 * version by now, and then says what they are. Returns null when there is no such account.
 */
export const changeSettings = (
  em: EntityManager,
  accountId: number,
  { version, change }: { version: number; change: SettingsChange },
): Promise<SettingsEdit | null> =>
  editSettings(em, accountId, (settings, current) => {
    if (version !== current) throw new StaleSettings({ settings, version: current })
    return withChange(settings, change)
  })
