import { TextInput } from '@mantine/core'
import { SETTINGS } from '../../../../domain/settings/declarations.ts'
import { Section } from '../../parts/section.tsx'
import { ChoiceControl } from './setting-fields.tsx'
import type { SettingsEditing } from './settings-editing.ts'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

/** What the player offers at the end of a video. */
export function EndFields({ form }: { form: SettingsEditing['form'] }) {
  const { fields, end } = useSettingsWords()
  const { action, link_url: url, link_text: text } = form.values.end_screen
  return (
    <Section title={end.title} className={classes.card}>
      <ChoiceControl form={form} name="end_screen.action" />
      {action === 'link' && (
        <>
          <TextInput
            label={fields['end_screen.link_url']}
            {...form.getInputProps('end_screen.link_url')}
            value={url ?? ''}
            description={end.urlHint}
            placeholder="https://www.example.com/next"
            type="url"
            maxLength={SETTINGS['end_screen.link_url'].max}
            dir="ltr"
            spellCheck={false}
          />
          <TextInput
            label={fields['end_screen.link_text']}
            {...form.getInputProps('end_screen.link_text')}
            value={text ?? ''}
            description={end.textHint}
            maxLength={SETTINGS['end_screen.link_text'].max}
          />
        </>
      )}
    </Section>
  )
}
