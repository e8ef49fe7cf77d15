import { Input } from '@mantine/core'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { SETTINGS } from '../../../../domain/settings/declarations.ts'
import { Section } from '../../parts/section.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { Preview } from './preview.tsx'
import { ChoiceField, SwitchField } from './setting-fields.tsx'
import type { SettingsEditing } from './settings-editing.ts'
import { SettingsSection } from './settings-section.tsx'
import classes from './settings.module.css'
import { SecretSection } from './signing-secret.tsx'
import { useSettingsWords } from './words.ts'

const route = getRouteApi('/accounts/$account/settings/watermark')

const NAMES = ['watermark.enabled', 'watermark.required', 'watermark.opacity', 'watermark.size']

/** The watermark with its preview, and the secret that signs who the viewer is. */
function WatermarkPage() {
  const { account } = route.useParams()
  const { pages, preview } = useSettingsWords()
  return (
    <SettingsSection
      account={account}
      title={pages.watermark}
      names={NAMES}
      fields={({ form }) => <WatermarkFields form={form} />}
      beside={({ form: { values } }) => (
        <Preview account={account} values={values} hint={preview.watermarkHint} isPlaying />
      )}
      below={<SecretSection account={account} />}
    />
  )
}

function WatermarkFields({ form }: { form: SettingsEditing['form'] }) {
  const { watermark: words } = useSettingsWords()
  return (
    <Section title={words.look} hint={words.text} className={classes.card}>
      <SwitchField form={form} name="watermark.enabled" description={words.enabledHint} />
      <SwitchField form={form} name="watermark.required" description={words.requiredHint} />
      <OpacityField form={form} />
      <ChoiceField form={form} name="watermark.size" />
    </Section>
  )
}

/** In steps of five percent: finer ones cannot be seen. */
const STEP_PERCENT = 5

function OpacityField({ form }: { form: SettingsEditing['form'] }) {
  const { fields } = useSettingsWords()
  const { percent } = useFormats()
  const { opacity } = form.values.watermark
  const label = fields['watermark.opacity']
  return (
    <Input.Wrapper label={label} labelProps={{ htmlFor: 'opacity' }}>
      <div className={classes.range}>
        <input
          id="opacity"
          type="range"
          min={SETTINGS['watermark.opacity'].min * 100}
          max={100}
          step={STEP_PERCENT}
          value={Math.round(opacity * 100)}
          aria-valuetext={percent(opacity)}
          onChange={({ currentTarget }) =>
            form.setFieldValue('watermark.opacity', Number(currentTarget.value) / 100)
          }
        />
        <output htmlFor="opacity">{percent(opacity)}</output>
      </div>
    </Input.Wrapper>
  )
}

export const watermarkRoute = createLazyRoute('/accounts/$account/settings/watermark')({
  component: WatermarkPage,
})
