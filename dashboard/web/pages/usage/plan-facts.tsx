import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Plan } from '../../api/usage.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useFormats } from '../../parts/text/formats.ts'
import classes from './usage.module.css'
import { useUsageWords } from './words.ts'

/** What the plan allows, and until when. */
export function PlanFacts({ plan }: { plan: Plan }) {
  const { plan: texts, usage } = useUsageWords()
  const { bytes, exact, number } = useFormats()
  const limit = (value: number | null, text: (value: number) => string): string =>
    value === null ? texts.unlimited : text(value)
  const minutes = (value: number): string => interpolate(usage.minutes, { number: number(value) })
  return (
    <section className={classes.card} aria-label={texts.plan}>
      <dl className={classes.facts}>
        <Fact name={texts.status}>
          <span className={classes.state} data-active={plan.is_active}>
            {plan.is_active ? texts.active : texts.inactive}
          </span>
        </Fact>
        <Fact name={texts.protection}>{texts.protections[plan.protection]}</Fact>
        <Fact name={texts.storage}>{limit(plan.storage_limit_bytes, bytes)}</Fact>
        <Fact name={texts.bandwidth}>{limit(plan.bandwidth_limit_bytes, bytes)}</Fact>
        <Fact name={texts.encoding}>{limit(plan.encoding_limit_minutes, minutes)}</Fact>
        <Fact name={texts.ends}>
          {plan.ends_at === null ? texts.never : exact(Date.parse(plan.ends_at))}
        </Fact>
      </dl>
      <Text size="sm" c="dimmed">
        {texts.operator}
      </Text>
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
