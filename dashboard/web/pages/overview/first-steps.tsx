import { Button, Progress, Title, VisuallyHidden } from '@mantine/core'
import type { Overview } from '../../api/overview.ts'
import { IconCircle, IconCircleCheckFilled } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import layout from '../../parts/layout.module.css'
import { PathLink } from '../../parts/links/path-link.tsx'
import classes from './overview.module.css'
import { useOverviewWords } from './words.ts'

/** Where each step is done, below the address of the account. */
const STEPS = [
  ['video_added', 'videos/add'],
  ['video_ready', 'videos'],
  ['played_elsewhere', 'videos'],
  ['access_restricted', 'settings/domains'],
  ['webhook_delivered', 'developers/webhooks'],
  ['colleague_invited', 'team'],
] as const

interface Props {
  account: string
  steps: Overview['steps']
  dismiss: () => void
}

/** The first steps of an owner. Each is done when it has really happened; none is ticked by hand. */
export function FirstSteps({ account, steps, dismiss }: Props) {
  const { steps: texts } = useOverviewWords()
  const done = STEPS.filter(([step]) => steps[step]).length
  const progress = interpolate(texts.progress, { done, all: STEPS.length })
  return (
    <section className={layout.card} aria-labelledby="steps">
      <div className={classes.head}>
        <Title order={2} id="steps">
          {texts.title}
        </Title>
        <span className={layout.quiet}>{progress}</span>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={dismiss}>
          {texts.dismiss}
        </Button>
      </div>
      <Progress value={(done / STEPS.length) * 100} size="sm" aria-label={progress} />
      <ol className={classes.steps}>
        {STEPS.map(([step, path]) => (
          <Step key={step} account={account} step={step} path={path} isDone={steps[step]} />
        ))}
      </ol>
    </section>
  )
}

interface StepProps {
  account: string
  step: (typeof STEPS)[number][0]
  path: string
  isDone: boolean
}

function Step({ account, step, path, isDone }: StepProps) {
  const { steps } = useOverviewWords()
  const { title, text, link } = steps[step]
  return (
    <li className={classes.step} data-done={isDone}>
      {isDone ? <IconCircleCheckFilled size={20} /> : <IconCircle size={20} stroke={1.5} />}
      <div className={classes.stepText}>
        <strong>{title}</strong>
        <VisuallyHidden>{isDone ? steps.done : steps.open}</VisuallyHidden>
        {!isDone && <p>{text}</p>}
      </div>
      {!isDone && (
        <PathLink account={account} path={path}>
          {link}
        </PathLink>
      )}
    </li>
  )
}
