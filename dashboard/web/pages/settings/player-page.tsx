import { Checkbox, Group, TextInput } from '@mantine/core'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { SETTINGS } from '../../../../domain/settings/declarations.ts'
import type { PlayerSettings } from '../../../../domain/settings/player-settings.ts'
import { Section, SectionTitle } from '../../parts/section.tsx'
import { ColorField } from './color-field.tsx'
import { Contrast } from './contrast.tsx'
import { EndFields } from './end-fields.tsx'
import { Preview } from './preview.tsx'
import { ChoiceField, SwitchField } from './setting-fields.tsx'
import type { SettingsEditing } from './settings-editing.ts'
import { SettingsSection } from './settings-section.tsx'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

const route = getRouteApi('/accounts/$account/settings/player')

const NAMES = [
  'theme',
  'colors.accent',
  'colors.text',
  'colors.background',
  'available_resolutions',
  'subtitles.enabled_by_default',
  'subtitles.default_language',
  'subtitles.size',
  'end_screen.action',
  'end_screen.link_url',
  'end_screen.link_text',
]

interface Props {
  form: SettingsEditing['form']
}

/** Look, resolutions and subtitles of the player, with the real player beside them. */
function PlayerPage() {
  const { account } = route.useParams()
  const { pages, preview } = useSettingsWords()
  return (
    <SettingsSection
      account={account}
      title={pages.player}
      names={NAMES}
      fields={({ form }) => (
        <>
          <Appearance form={form} />
          <Resolutions form={form} />
          <Subtitles form={form} />
          <EndFields form={form} />
        </>
      )}
      beside={({ form: { values } }) => (
        <Preview account={account} values={values} hint={preview.hint} />
      )}
    />
  )
}

function Appearance({ form }: Props) {
  const { player, fields } = useSettingsWords()
  const { theme, colors } = form.values
  const color = (name: keyof PlayerSettings['colors']) => ({
    label: fields[`colors.${name}`],
    value: colors[name],
    error: form.errors[`colors.${name}`],
    onBlur: () => form.validateField(`colors.${name}`),
    onChange: (value: string) => form.setFieldValue(`colors.${name}`, value),
  })
  return (
    <Section title={player.appearance} className={classes.card}>
      <ChoiceField form={form} name="theme" description={player.themeHint} />
      <div className={classes.row}>
        <ColorField {...color('accent')} description={player.accentHint} />
        <ColorField {...color('text')} description={player.textHint} />
      </div>
      <Contrast theme={theme} colors={colors} />
      <ColorField {...color('background')} description={player.backgroundHint} />
    </Section>
  )
}

function Resolutions({ form }: Props) {
  const { player } = useSettingsWords()
  return (
    <section className={classes.card} aria-labelledby="resolutions">
      <SectionTitle id="resolutions">{player.resolutions}</SectionTitle>
      <Checkbox.Group
        aria-labelledby="resolutions"
        description={player.resolutionsHint}
        error={form.errors.available_resolutions}
        value={form.values.available_resolutions.map(String)}
        onChange={(chosen) => form.setFieldValue('available_resolutions', chosen.map(Number))}
      >
        <Group mt="xs" gap="lg">
          {SETTINGS.available_resolutions.values.map((side) => (
            <Checkbox key={side} value={String(side)} label={<bdi>{side}p</bdi>} />
          ))}
        </Group>
      </Checkbox.Group>
    </section>
  )
}

function Subtitles({ form }: Props) {
  const { player, fields } = useSettingsWords()
  const { default_language: language } = form.values.subtitles
  return (
    <Section title={player.subtitles} className={classes.card}>
      <SwitchField form={form} name="subtitles.enabled_by_default" />
      <TextInput
        label={fields['subtitles.default_language']}
        description={player.languageHint}
        placeholder="en"
        {...form.getInputProps('subtitles.default_language')}
        value={language ?? ''}
        maxLength={35}
        dir="ltr"
        spellCheck={false}
      />
      <ChoiceField form={form} name="subtitles.size" />
    </Section>
  )
}

export const playerRoute = createLazyRoute('/accounts/$account/settings/player')({
  component: PlayerPage,
})
