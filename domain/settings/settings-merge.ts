import { isSame } from '../accounts/audit.ts'
import { grouped, settingValues } from './groups.ts'
import { withChange, type PlayerSettings, type SettingsChange } from './player-settings.ts'

/** The names of the settings that differ. */
export function differentSettings(from: PlayerSettings, to: PlayerSettings): string[] {
  const before = settingValues(from)
  return [...settingValues(to)]
    .filter(([name, value]) => !isSame(before.get(name), value))
    .map(([name]) => name)
}

/** A change that sets the named settings to the values that they have in `settings`. */
export const changeTo = (settings: SettingsChange, names: readonly string[]): SettingsChange =>
  // `as`: some of the settings, with their values.
  grouped([...settingValues(settings)].filter(([name]) => names.includes(name))) as SettingsChange

/** Two edits of the same settings. */
export interface TwoEdits {
  /** What both have started from. */
  opened: PlayerSettings
  mine: PlayerSettings
  theirs: PlayerSettings
}

interface Merge {
  /** Both edits; where they contradict each other, mine. */
  merged: PlayerSettings
  /** The settings that both have changed, to different values. */
  conflicts: string[]
  /** The settings that only they have changed. */
  taken: string[]
}

/** Combines two edits. No value of either is lost: `conflicts` names what has to be decided. */
export function mergeSettings({ opened, mine, theirs }: TwoEdits): Merge {
  const changed = differentSettings(opened, mine)
  const conflicts = differentSettings(mine, theirs).filter(
    (name) => changed.includes(name) && differentSettings(opened, theirs).includes(name),
  )
  const taken = differentSettings(opened, theirs).filter((name) => !changed.includes(name))
  return { merged: withChange(theirs, changeTo(mine, changed)), conflicts, taken }
}
