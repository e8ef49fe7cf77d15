import { z } from 'zod'
import type { PlayerSettings, VersionedSettings } from '../domain/settings/player-settings.ts'
import { CHANGE_SHAPE, SETTINGS_SHAPE } from './setting-schemas.ts'

/**
 * An account's player settings (contract, "Player settings"). Refuses unknown names, writes host names as browsers
 * send them, and keeps each resolution once, in order.
 */
export const playerSettingsSchema: z.ZodType<PlayerSettings> = z.strictObject(SETTINGS_SHAPE)

/** The player settings object: read-only in the API, because the operator changes it. */
export const playerSettingsObjectSchema = z
  .strictObject({ object: z.literal('player_settings'), ...SETTINGS_SHAPE })
  .meta({ id: 'PlayerSettings' })

/** The player settings object. */
export const playerSettingsView = (
  stored: PlayerSettings,
): z.output<typeof playerSettingsObjectSchema> => ({ object: 'player_settings', ...stored })

/** Names of the settings, as the audit log shows them. */
export const SETTING_NAMES = Object.keys(SETTINGS_SHAPE)

const version = z
  .int()
  .min(1)
  .meta({ description: 'Grows with each change; a save of an older version is refused.' })

/** The player settings with their version, as the dashboard edits them. */
export const versionedSettingsSchema = z
  .strictObject({ object: z.literal('settings'), version, ...SETTINGS_SHAPE })
  .meta({ id: 'Settings' })

/** The player settings with their version. */
export const versionedSettingsView = ({
  settings: stored,
  version: number,
}: VersionedSettings): z.output<typeof versionedSettingsSchema> => ({
  object: 'settings',
  version: number,
  ...stored,
})

/** A change: the version that it starts from and the settings that change, in groups one by one. */
export const settingsChangeSchema = z.strictObject({ version, ...CHANGE_SHAPE })
