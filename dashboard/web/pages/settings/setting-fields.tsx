import { Input, SegmentedControl, Switch } from '@mantine/core'
import { SETTINGS } from '../../../../domain/settings/declarations.ts'
import type { SettingNameOf } from '../../../../domain/settings/player-settings.ts'
import type { SettingsEditing } from './settings-editing.ts'
import { useSettingsWords } from './words.ts'

interface Props<Name> {
  form: SettingsEditing['form']
  name: Name
  description?: string | undefined
  disabled?: boolean
}

/** A setting that is on or off. */
export function SwitchField({ form, name, description }: Props<SettingNameOf<'switch'>>) {
  const { fields } = useSettingsWords()
  const input = form.getInputProps(name, { type: 'checkbox' })
  return <Switch label={fields[name]} description={description} {...input} />
}

/** One of the values of a setting, under its label. */
export function ChoiceField({ description, ...props }: Props<SettingNameOf<'choice'>>) {
  const { fields } = useSettingsWords()
  return (
    <Input.Wrapper label={fields[props.name]} description={description} labelElement="div">
      <ChoiceControl {...props} />
    </Input.Wrapper>
  )
}

/** One of the values of a setting. */
export function ChoiceControl({ form, name, disabled = false }: Props<SettingNameOf<'choice'>>) {
  const { fields, values } = useSettingsWords()
  return (
    <SegmentedControl
      fullWidth
      mt={4}
      disabled={disabled}
      aria-label={fields[name]}
      data={SETTINGS[name].values.map((value) => ({ value, label: values[value] }))}
      {...form.getInputProps(name)}
    />
  )
}
