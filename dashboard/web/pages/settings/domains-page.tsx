import { Text, Textarea } from '@mantine/core'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { Section } from '../../parts/section.tsx'
import { DomainTester } from './domain-tester.tsx'
import type { SettingsEditing } from './settings-editing.ts'
import { tidied } from './settings-rules.ts'
import { SettingsSection } from './settings-section.tsx'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

const route = getRouteApi('/accounts/$account/settings/domains')

const NAMES = ['allowed_domains', 'blocked_domains'] as const

/** Which sites may embed, with a test of any page beside the lists. */
function DomainsPage() {
  const { account } = route.useParams()
  const { domains, pages } = useSettingsWords()
  return (
    <SettingsSection
      account={account}
      title={pages.domains}
      names={NAMES}
      fields={({ form }) => (
        <Section title={domains.title} className={classes.card}>
          <DomainList form={form} name="allowed_domains" hint={domains.allowed} />
          <DomainList form={form} name="blocked_domains" hint={domains.blocked} />
          <Text size="sm" c="dimmed">
            {domains.wildcard}
          </Text>
        </Section>
      )}
      beside={({ form: { values } }) => <DomainTester account={account} rules={tidied(values)} />}
    />
  )
}

interface Props {
  form: SettingsEditing['form']
  name: (typeof NAMES)[number]
  hint: string
}

/** A list of hosts as lines, which can be pasted. The form holds them as they are typed. */
function DomainList({ form, name, hint }: Props) {
  const { fields } = useSettingsWords()
  return (
    <Textarea
      label={fields[name]}
      description={hint}
      rows={6}
      value={form.values[name].join('\n')}
      error={form.errors[name]}
      onBlur={() => form.validateField(name)}
      onChange={({ currentTarget }) => form.setFieldValue(name, linesOf(currentTarget.value))}
      dir="ltr"
      spellCheck={false}
      autoCapitalize="off"
      classNames={{ input: classes.lines }}
    />
  )
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

export const domainsRoute = createLazyRoute('/accounts/$account/settings/domains')({
  component: DomainsPage,
})
