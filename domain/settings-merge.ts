import { isSame } from './accounts/audit.ts'
import { withChange } from './player-settings.ts'
import type { PlayerSettings, SettingsChange } from './player-settings.ts'

/** The groups of settings whose settings change one by one. */
const GROUPS = ['colors', 'subtitles', 'watermark', 'concurrent_plays', 'end_screen'] as const

/** The value of one setting. */
type SettingValue = boolean | number | string | null | readonly (number | string)[]

/** Each setting by its name in requests, such as `theme` or `colors.accent`. */
export function settingValues(settings: PlayerSettings): Map<string, SettingValue> {
  const { colors, subtitles, watermark, concurrent_plays, end_screen, ...single } = settings
  const groups = { colors, subtitles, watermark, concurrent_plays, end_screen }
  return new Map<string, SettingValue>([
    ...Object.entries(single),
    ...GROUPS.flatMap((group) =>
      Object.entries(groups[group]).map(([name, value]) => [`${group}.${name}`, value] as const),
    ),
  ])
}

/** The names of the settings that differ. */
export function differentSettings(from: PlayerSettings, to: PlayerSettings): string[] {
  const before = settingValues(from)
  return [...settingValues(to)]
    .filter(([name, value]) => !isSame(before.get(name), value))
    .map(([name]) => name)
}

/** A change that sets the named settings to the values that they have in `settings`. */
export function changeTo(settings: PlayerSettings, names: readonly string[]): SettingsChange {
  const { colors, subtitles, watermark, concurrent_plays, end_screen, ...single } = settings
  return {
    ...chosen(single, '', names),
    colors: chosen(colors, 'colors.', names),
    subtitles: chosen(subtitles, 'subtitles.', names),
    watermark: chosen(watermark, 'watermark.', names),
    concurrent_plays: chosen(concurrent_plays, 'concurrent_plays.', names),
    end_screen: chosen(end_screen, 'end_screen.', names),
  }
}

/** Undefined if nothing is chosen, so that an empty group is not sent. */
function chosen<T extends object>(
  values: T,
  prefix: string,
  names: readonly string[],
): Partial<T> | undefined {
  const result: Partial<T> = {}
  for (const name in values) if (names.includes(prefix + name)) result[name] = values[name]
  return Object.keys(result).length > 0 ? result : undefined
}

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
