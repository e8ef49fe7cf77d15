import { NumberInput, Text } from '@mantine/core'
import { SETTINGS } from '../../../../domain/settings/declarations.ts'
import { Section } from '../../parts/section.tsx'
import { ChoiceField } from './setting-fields.tsx'
import type { SettingsEditing } from './settings-editing.ts'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

/** The limit of plays of one viewer at the same time; an empty field means none. */
export function PlaysFields({ form }: { form: SettingsEditing['form'] }) {
  const { fields, values, plays } = useSettingsWords()
  const { limit } = form.values.concurrent_plays
  return (
    <Section title={plays.title} className={classes.card}>
      <Text size="sm">{plays.text}</Text>
      <NumberInput
        label={fields['concurrent_plays.limit']}
        description={plays.limitHint}
        placeholder={values.unlimited}
        min={1}
        max={SETTINGS['concurrent_plays.limit'].max}
        allowDecimal={false}
        error={form.errors['concurrent_plays.limit']}
        value={limit ?? ''}
        onChange={(value) =>
          form.setFieldValue('concurrent_plays.limit', typeof value === 'number' ? value : null)
        }
        onBlur={() => form.validateField('concurrent_plays.limit')}
      />
      <ChoiceField
        form={form}
        name="concurrent_plays.winner"
        description={plays.winnerHint}
        disabled={limit === null}
      />
    </Section>
  )
}
