import type { Overview } from '../../api/overview.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import layout from '../../parts/layout.module.css'
import { PathLink } from '../../parts/links/path-link.tsx'
import { Section } from '../../parts/section.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { useNow } from '../../parts/text/now.ts'
import classes from './overview.module.css'
import { useOverviewWords } from './words.ts'

type Plan = NonNullable<Overview['plan']>

/** From when an end of the plan is worth a notice. */
const NOTICE_MS = 14 * 86_400_000

/** True if the plan has ended, ends soon or is nearly used up. */
export const isPlanNear = (plan: Plan | null): boolean =>
  plan !== null && (!plan.is_active || endsSoon(plan) || plan.nearly_used.length > 0)

const endsSoon = ({ ends_at: endsAt }: Plan): boolean =>
  endsAt !== null && Date.parse(endsAt) - Date.now() < NOTICE_MS

/** What is nearly used up of the plan, and its end. */
export function PlanNotice({ account, plan }: { account: string; plan: Plan }) {
  const words = useOverviewWords()
  const { limits } = useWords()
  const { percent, relative } = useFormats()
  const now = useNow()
  return (
    <Section id="plan" title={words.plan} className={layout.card}>
      <ul className={`${layout.list} ${classes.list}`}>
        {plan.nearly_used.map(({ limit, share }) => (
          <li key={limit}>
            <PathLink account={account} path="usage">
              {interpolate(words.nearly, { limit: limits[limit], share: percent(share) })}
            </PathLink>
          </li>
        ))}
        {(!plan.is_active || endsSoon(plan)) && (
          <li>
            <PathLink account={account} path="plan">
              {plan.is_active && plan.ends_at !== null
                ? interpolate(words.planEnds, { time: relative(Date.parse(plan.ends_at), now) })
                : words.planEnded}
            </PathLink>
          </li>
        )}
      </ul>
    </Section>
  )
}
