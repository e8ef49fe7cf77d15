import { SegmentedControl, TextInput } from '@mantine/core'
import { END_ACTIONS, END_LINK_TEXT_MAX, END_LINK_URL_MAX } from '../../../../domain/end-screen.ts'
import { Section } from '../../parts/section.tsx'
import classes from './settings.module.css'
import type { SettingsEditing } from './settings-editing.ts'
import { useSettingsWords } from './words.ts'

/** What the player offers at the end of a video. */
export function EndFields({ form }: { form: SettingsEditing['form'] }) {
  const { fields, end } = useSettingsWords()
  const { action, link_url: url, link_text: text } = form.values.end_screen
  const field = (name: 'end_screen.link_url' | 'end_screen.link_text', value: string | null) => ({
    label: fields[name],
    value: value ?? '',
    error: form.errors[name],
    onBlur: () => form.validateField(name),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      form.setFieldValue(name, currentTarget.value === '' ? null : currentTarget.value),
  })
  return (
    <Section title={end.title} className={classes.card}>
      <SegmentedControl
        fullWidth
        aria-label={fields['end_screen.action']}
        value={action}
        onChange={(value) => form.setFieldValue('end_screen.action', value)}
        data={END_ACTIONS.map((one) => ({ value: one, label: end[one] }))}
      />
      {action === 'link' && (
        <>
          <TextInput
            {...field('end_screen.link_url', url)}
            description={end.urlHint}
            placeholder="https://www.example.com/next"
            type="url"
            maxLength={END_LINK_URL_MAX}
            dir="ltr"
            spellCheck={false}
          />
          <TextInput
            {...field('end_screen.link_text', text)}
            description={end.textHint}
            maxLength={END_LINK_TEXT_MAX}
          />
        </>
      )}
    </Section>
  )
}
