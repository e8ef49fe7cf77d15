import { Alert, NumberInput, Text } from '@mantine/core'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { SETTINGS } from '../../../../domain/settings/declarations.ts'
import type { SettingNameOf } from '../../../../domain/settings/player-settings.ts'
import { Section } from '../../parts/section.tsx'
import { SwitchField } from './setting-fields.tsx'
import type { SettingsEditing } from './settings-editing.ts'
import { SettingsSection } from './settings-section.tsx'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

const route = getRouteApi('/accounts/$account/settings/viewers')

const TIMES = ['viewer_data.sessions_kept_days', 'viewer_data.progress_kept_days'] as const
const NAMES = ['viewer_data.totals_only', ...TIMES] as const

/** What is kept of each viewer, and how long. */
function ViewerDataPage() {
  const { account } = route.useParams()
  const { pages, viewers } = useSettingsWords()
  return (
    <SettingsSection
      account={account}
      title={pages.viewers}
      names={NAMES}
      // To keep less of viewers erases them.
      scope="viewers:erase"
      fields={({ form }) => (
        <Section title={viewers.title} className={classes.card}>
          <Text size="sm">{viewers.text}</Text>
          <SwitchField
            form={form}
            name="viewer_data.totals_only"
            description={viewers.totals_only}
          />
          {form.values.viewer_data.totals_only && (
            <Alert variant="light" color="gray">
              {viewers.stays}
            </Alert>
          )}
          {TIMES.map((name) => (
            <DaysField key={name} form={form} name={name} />
          ))}
        </Section>
      )}
    />
  )
}

interface Props {
  form: SettingsEditing['form']
  name: SettingNameOf<'days'>
}

/** A number of days; an empty field means that of the installation. */
function DaysField({ form, name }: Props) {
  const { fields, values, viewers } = useSettingsWords()
  return (
    <NumberInput
      label={fields[name]}
      description={viewers[name]}
      placeholder={values.installation}
      min={1}
      max={SETTINGS[name].max}
      allowDecimal={false}
      {...form.getInputProps(name)}
      value={form.getInputProps(name).value ?? ''}
      onChange={(value) => form.setFieldValue(name, typeof value === 'number' ? value : null)}
    />
  )
}

export const viewerDataRoute = createLazyRoute('/accounts/$account/settings/viewers')({
  component: ViewerDataPage,
})
