import { ConflictNotice } from '../../parts/forms/conflict-notice.tsx'
import { settingLabel, SettingValue } from './setting-values.tsx'
import type { Conflict, SettingsEditing } from './settings-editing.ts'
import { useSettingsWords } from './words.ts'

/** Asks which value counts, where another member has saved one meanwhile. */
export function SettingsConflict({
  conflict: { mine, theirs, names, taken, decided },
  decide,
}: Pick<SettingsEditing, 'decide'> & { conflict: Conflict }) {
  const words = useSettingsWords()
  const contradictions = names.map((name) => ({
    name,
    label: settingLabel(name, words),
    mine: <SettingValue name={name} settings={mine} />,
    theirs: <SettingValue name={name} settings={theirs} />,
  }))
  const takenLabels = taken.map((name) => settingLabel(name, words))
  return <ConflictNotice {...{ contradictions, taken: takenLabels, decided, decide }} />
}
