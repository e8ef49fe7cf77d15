import { isSame } from '../accounts/audit.ts'
import { SETTING_BY_NAME, type SETTINGS } from './declarations.ts'
import { grouped, isGroup, settingValues } from './groups.ts'
import { accepts } from './kinds.ts'
import {
  withChange,
  type Grouped,
  type PlayerSettings,
  type SettingName,
} from './player-settings.ts'
import { changeTo } from './settings-merge.ts'

type LookName = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { isLook: true } ? Name : never
}[SettingName]

const LOOK = [...SETTING_BY_NAME].filter(([, { isLook }]) => isLook === true)
/** The names of the settings of a look. */
export const LOOK_NAMES: readonly string[] = LOOK.map(([name]) => name)

/** What a preview may show in place of the saved settings: looks, and nothing that protects. */
export type PreviewLook = Grouped<LookName>

/** The look of settings. */
export const previewLookOf = (settings: PlayerSettings | PreviewLook): PreviewLook =>
  // `as`: both have each of these names.
  changeTo(settings, LOOK_NAMES) as PreviewLook

/** True for a look with each of its settings and no other one. */
export function isPreviewLook(value: unknown): value is PreviewLook {
  if (!isGroup(value)) return false
  const values = settingValues(value)
  return (
    LOOK.every(([name, setting]) => accepts(setting, values.get(name))) &&
    isSame(value, grouped([...values].filter(([name]) => LOOK_NAMES.includes(name))))
  )
}

/**
 * The settings with another look. A look can add the watermark, but not remove it; `required` and all
 * other settings keep their values.
 */
export function withLook(settings: PlayerSettings, look: PreviewLook): PlayerSettings {
  const enabled = settings.watermark.enabled || look.watermark.enabled
  return withChange(withChange(settings, previewLookOf(look)), { watermark: { enabled } })
}

/** What the viewer ids of members begin with. */
export const DASHBOARD_VIEWER_PREFIX = 'dashboard:'

/** The viewer id that tokens of the dashboard carry, by which its watermarks and sessions are recognised. */
export const dashboardViewerId = (memberId: number): string =>
  `${DASHBOARD_VIEWER_PREFIX}${memberId}`

/** The query parameter of an embed address that carries a preview ticket. */
export const PREVIEW_PARAMETER = 'preview'
