import { Progress } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/overview.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import layout from '../../parts/layout.module.css'
import { Section } from '../../parts/section.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import classes from './overview.module.css'

type Plan = NonNullable<Overview['plan']>

/** From which share on a limit has a bar: before the frame of every page shows it. */
const NEAR_SHARE = 0.8

const shareOf = ({ used, most }: Plan['uses'][number]): number => (most === 0 ? 1 : used / most)

/** True if a limit has a bar. */
export const isNearlyUsed = (uses: Plan['uses']): boolean =>
  uses.some((use) => shareOf(use) >= NEAR_SHARE)

/** What is used of each limit of the plan, in a quiet line; with a bar if little is left. */
export function PlanUse({ account, uses }: { account: string; uses: Plan['uses'] }) {
  const { overview, areas } = useWords()
  return (
    <Section
      id="plan"
      className={layout.card}
      title={overview.plan}
      actions={
        <Link className={classes.all} to="/accounts/$account/usage" params={{ account }}>
          {areas.usage}
        </Link>
      }
    >
      <ul className={classes.uses}>
        {uses.map((use) => (
          <Use key={use.limit} use={use} />
        ))}
      </ul>
    </Section>
  )
}

function Use({ use }: { use: Plan['uses'][number] }) {
  const { limit, used, most } = use
  const { limits, overview } = useWords()
  const { bytes, number, percent } = useFormats()
  const minutes = (value: number): string =>
    interpolate(overview.minutes, { number: number(Math.round(value)) })
  const text = limit === 'encoding' ? minutes : bytes
  const share = shareOf(use)
  const isNear = share >= NEAR_SHARE
  const amount = interpolate(overview.used, { used: text(used), most: text(most) })
  return (
    <li>
      <span>{limits[limit]}</span>
      <span>
        {amount}
        {isNear && <strong>{percent(share)}</strong>}
      </span>
      {isNear && (
        <Progress
          className={classes.useBar}
          value={Math.min(100, share * 100)}
          size="sm"
          color={share >= 1 ? 'var(--mark-danger)' : 'var(--mark-warning)'}
          aria-label={limits[limit]}
        />
      )}
    </li>
  )
}
