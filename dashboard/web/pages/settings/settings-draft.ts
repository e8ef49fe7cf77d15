import { useForm, type UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import type { PlayerSettings } from '../../../../domain/settings/player-settings.ts'
import { differentSettings } from '../../../../domain/settings/settings-merge.ts'
import type { OpenedSettings } from '../../api/settings.ts'
import { useUnsavedChanges } from '../../parts/forms/unsaved-changes.ts'
import { problemsOf, tidied } from './settings-rules.ts'
import { useSettingsWords } from './words.ts'

/** A form of settings with what it started from. */
export interface SettingsDraft {
  form: UseFormReturnType<PlayerSettings>
  /** What the form started from. */
  opened: OpenedSettings
  /** What the form holds, as it would be saved. */
  values: PlayerSettings
  isDirty: boolean
  /** Starts from other settings, and shows `values` in the form. */
  restart: (opened: OpenedSettings, values: PlayerSettings) => void
}

/** The form of settings that were read as `latest`. Leaving it with unsaved changes asks first. */
export function useSettingsDraft(latest: OpenedSettings): SettingsDraft {
  const { rules } = useSettingsWords()
  const [opened, setOpened] = useState(latest)
  const form = useForm<PlayerSettings>({
    initialValues: latest.settings,
    validate: (values) => problemsOf(values, rules),
    validateInputOnBlur: true,
  })
  const values = tidied(form.values)
  const isDirty = differentSettings(opened.settings, values).length > 0
  useUnsavedChanges(isDirty)
  const restart = (next: OpenedSettings, shown: PlayerSettings): void => {
    setOpened(next)
    form.setValues(shown)
  }
  // What someone else has saved is shown at once, unless this form holds changes.
  if (!isDirty && latest.version > opened.version) restart(latest, latest.settings)
  return { form, opened, values, isDirty, restart }
}
