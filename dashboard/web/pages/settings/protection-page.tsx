import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { protectionQuery } from '../../api/settings.ts'
import { Section } from '../../parts/section.tsx'
import { PlaysFields } from './plays-fields.tsx'
import { SwitchField } from './setting-fields.tsx'
import type { SettingsEditing } from './settings-editing.ts'
import { SettingsSection } from './settings-section.tsx'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

const route = getRouteApi('/accounts/$account/settings/protection')

const RULES = [
  'direct_play',
  'app_only_l3',
  'keep_original',
  'import_chapters_and_captions',
  'normalize_loudness',
] as const

const NAMES = ['concurrent_plays.limit', 'concurrent_plays.winner', ...RULES] as const

/** Rules for all videos, each with what it means. */
function ProtectionPage() {
  const { account } = route.useParams()
  const { pages, protection } = useSettingsWords()
  return (
    <SettingsSection
      account={account}
      title={pages.protection}
      names={NAMES}
      fields={({ form }) => (
        <>
          <PlaysFields form={form} />
          <Section id="protection" title={protection.title} className={classes.card}>
            {RULES.map((name) => (
              <Rule key={name} name={name} form={form} account={account} />
            ))}
          </Section>
        </>
      )}
    />
  )
}

interface Props {
  account: string
  name: (typeof RULES)[number]
  form: SettingsEditing['form']
}

function Rule({ account, name, form }: Props) {
  const { protection } = useSettingsWords()
  const { data: plan } = useQuery(protectionQuery(account))
  const isIdle = name === 'app_only_l3' && plan === 'clearkey'
  return (
    <div className={classes.rule}>
      <SwitchField form={form} name={name} description={protection[name]} />
      {isIdle && (
        <Text size="sm" className={classes.idle}>
          {protection.appOnlyPlan}
        </Text>
      )}
    </div>
  )
}

export const protectionRoute = createLazyRoute('/accounts/$account/settings/protection')({
  component: ProtectionPage,
})
