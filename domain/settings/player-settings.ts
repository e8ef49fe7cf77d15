import { SETTING_BY_NAME, type SETTINGS } from './declarations.ts'
import { grouped, settingValues, type SettingValue } from './groups.ts'
import type { Kind, ValueOf } from './kinds.ts'

type Declared = typeof SETTINGS

/** The name of a setting, such as `theme` or `colors.accent`. */
export type SettingName = keyof Declared

/** The names of the settings of a kind. */
export type SettingNameOf<One extends Kind> = {
  [Name in SettingName]: Declared[Name] extends { kind: One } ? Name : never
}[SettingName]

/** Settings as requests have them: those of a group in one object. */
export type Grouped<Names extends SettingName> = {
  [
    Name in Names as Name extends `${infer Group}.${string}` ? Group : Name
  ]: Name extends `${infer Group}.${string}` ? OfGroup<Group, Names> : ValueOf<Declared[Name]>
}

type OfGroup<Group extends string, Names extends SettingName> = {
  [Name in Names as Name extends `${Group}.${infer Own}` ? Own : never]: ValueOf<Declared[Name]>
}

/** An account's player, watermark and protection settings (contract, "Player settings"). */
export type PlayerSettings = Grouped<SettingName>

const defaults = [...SETTING_BY_NAME].map(([name, setting]) => [name, setting.default] as const)

/** The settings of a new account. */
// `as`: the type is made from the same declarations as the object.
export const DEFAULT_PLAYER_SETTINGS = grouped(defaults) as PlayerSettings

/** True if playback requires a valid viewer token (contract, "Viewer token"). */
export const isViewerTokenEnforced = ({ watermark }: Pick<PlayerSettings, 'watermark'>): boolean =>
  watermark.enabled && watermark.required

/** Player settings and how often they were changed, from 1. */
export interface VersionedSettings {
  settings: PlayerSettings
  version: number
}

/** Some of the settings; of a group, some of its settings. Undefined ones keep their values. */
export type SettingsChange = {
  [Name in keyof PlayerSettings]?: Change<PlayerSettings[Name]> | undefined
}

type Change<Value> =
  Value extends Record<string, unknown>
    ? { [Name in keyof Value]?: Value[Name] | undefined }
    : Value

/** The settings with the change made. */
export const withChange = (settings: PlayerSettings, change: SettingsChange): PlayerSettings =>
  // `as`: a change has no other settings, and values of the same types.
  grouped([...settingValues(settings), ...settingValues(change)]) as PlayerSettings

/** The settings with what `map` returns for each value, which is of the same kind. */
export const mapSettings = (
  settings: PlayerSettings,
  map: (value: SettingValue, name: string) => SettingValue,
): PlayerSettings =>
  // `as`: the names are the same, and the types by the rule above.
  grouped(
    [...settingValues(settings)].map(([name, value]) => [name, map(value, name)] as const),
  ) as PlayerSettings
