import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { PlayerSettings } from '../../../../domain/settings/player-settings.ts'
import { problemOf } from '../../api/problem.ts'
import { testDomain, type DomainTest } from '../../api/settings.ts'
import { IconCircleCheck, IconCircleX } from '../../icons/icons.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { Section } from '../../parts/section.tsx'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

interface Props {
  account: string
  /** The lists of the form, saved or not. */
  rules: PlayerSettings
}

/** Says whether a page would be let in, as the player decides. */
export function DomainTester({ account, rules }: Props) {
  const { domains } = useSettingsWords()
  const [host, setHost] = useState('')
  const test = useMutation({ mutationFn: () => testDomain(account, host, rules) })
  const problem = test.error && problemOf(test.error)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (host.trim() !== '') test.mutate()
  }
  const type = (text: string): void => {
    setHost(text)
    test.reset()
  }
  return (
    <Section id="tester" title={domains.testTitle} hint={domains.testText} className={classes.card}>
      <form onSubmit={submit} className={classes.tester} noValidate>
        <TextInput
          label={domains.address}
          placeholder="https://www.example.com/lesson"
          value={host}
          error={problem?.field === 'host' ? problem.message : undefined}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          dir="ltr"
          spellCheck={false}
        />
        <Button type="submit" variant="default" loading={test.isPending}>
          {domains.test}
        </Button>
      </form>
      {problem && problem.field !== 'host' && <ErrorState error={problem} />}
      <output>{test.data && <Verdict test={test.data} />}</output>
    </Section>
  )
}

function Verdict({ test: { host, reason } }: { test: DomainTest }) {
  const { domains } = useSettingsWords()
  const [before = '', after = ''] = (reason === null ? domains.letIn : domains[reason]).split(
    '{host}',
  )
  return (
    <span className={classes.verdict} data-allowed={reason === null}>
      {reason === null ? <IconCircleCheck size={18} /> : <IconCircleX size={18} />}
      <span>
        {before}
        <bdi>{host}</bdi>
        {after}
      </span>
    </span>
  )
}
