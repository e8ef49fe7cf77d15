import { Button, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { FunctionComponent } from 'react'
import type { CallerScope } from '../../../../domain/accounts/roles.ts'
import type { Overview } from '../../api/overview.ts'
import type { IconProps } from '../../icons/icon.tsx'
import {
  IconCheck,
  IconChevronRight,
  IconCode,
  IconMovie,
  IconShield,
  IconUserPlus,
  IconWebhook,
} from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import layout from '../../parts/layout.module.css'
import { ButtonLink } from '../../parts/links/links.tsx'
import classes from './first-steps.module.css'
import { useOverviewWords } from './words.ts'

interface Step {
  name: Exclude<keyof Overview['steps'], 'video_ready'>
  icon: FunctionComponent<IconProps>
  /** Who may do it. */
  scope: CallerScope
  /** Where it is done, below the address of the account. */
  path: (overview: Overview) => string
}

/** In their order. That a video becomes ready is no step: a person can only wait for it. */
const STEPS: readonly Step[] = [
  { name: 'video_added', icon: IconMovie, scope: 'videos:write', path: () => 'videos/add' },
  {
    name: 'played_elsewhere',
    icon: IconCode,
    scope: 'videos:write',
    path: ({ videos: { newest_ready_id: id } }) => (id === null ? 'videos' : `videos/${id}/embed`),
  },
  {
    name: 'access_restricted',
    icon: IconShield,
    scope: 'settings:write',
    path: () => 'settings/domains',
  },
  {
    name: 'webhook_delivered',
    icon: IconWebhook,
    scope: 'webhooks:write',
    path: () => 'developers/webhooks',
  },
  {
    name: 'colleague_invited',
    icon: IconUserPlus,
    scope: 'members:write',
    path: () => 'team/invite',
  },
]

/** The steps that are not done and that a member with these scopes can do, once a video is ready. */
export const openSteps = (
  { steps }: Pick<Overview, 'steps'>,
  scopes: readonly CallerScope[],
): Step[] => STEPS.filter(({ name, scope }) => !steps[name] && scopes.includes(scope))

interface Props {
  account: string
  overview: Overview
  open: readonly Step[]
  dismiss: () => void
}

/**
 * The first steps of an owner: the next one, those after it, and the finished ones folded. Each is done when it has
 * really happened; none is ticked by hand.
 */
export function FirstSteps({ account, overview, open, dismiss }: Props) {
  const { steps: texts } = useOverviewWords()
  const next = open.find(({ name }) => isPossible(name, overview))
  return (
    <section className={layout.card} aria-labelledby="steps">
      <div className={layout.head}>
        <Title order={2} id="steps">
          {texts.title}
        </Title>
        <Button
          className={classes.dismiss}
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={dismiss}
        >
          {texts.dismiss}
        </Button>
      </div>
      {next && <NextStep account={account} step={next} path={next.path(overview)} />}
      <ol className={classes.later}>
        {open
          .filter((step) => step !== next)
          .map((step) => (
            <LaterStep
              key={step.name}
              account={account}
              step={step}
              path={isPossible(step.name, overview) ? step.path(overview) : null}
            />
          ))}
      </ol>
      <Finished steps={overview.steps} />
    </section>
  )
}

/** Only a video that is ready can be embedded. */
const isPossible = (name: Step['name'], { steps }: Overview): boolean =>
  name !== 'played_elsewhere' || steps.video_ready

interface StepProps {
  account: string
  step: Step
  path: string
}

function NextStep({ account, step: { name, icon: Icon }, path }: StepProps) {
  const { title, text, link } = useOverviewWords().steps[name]
  const to: string = `/accounts/$account/${path}`
  return (
    <div className={classes.next}>
      <span className={classes.sign}>
        <Icon size={20} stroke={1.75} />
      </span>
      <div>
        <Title order={3}>{title}</Title>
        <p>{text}</p>
      </div>
      <ButtonLink to={to} params={{ account }}>
        {link}
      </ButtonLink>
    </div>
  )
}

interface LaterProps extends Omit<StepProps, 'path'> {
  /** Null while it cannot be done. */
  path: string | null
}

function LaterStep({ account, step: { name, icon: Icon }, path }: LaterProps) {
  const { steps } = useOverviewWords()
  const { title, text } = steps[name]
  const to: string = `/accounts/$account/${path}`
  const content = (
    <>
      <Icon size={18} stroke={1.5} />
      <span>
        <strong>{title}</strong>
        <span>{path === null ? steps.waits : text}</span>
      </span>
    </>
  )
  if (path === null)
    return (
      <li>
        <div>{content}</div>
      </li>
    )
  return (
    <li>
      <Link to={to} params={{ account }}>
        {content}
        <IconChevronRight size={16} />
      </Link>
    </li>
  )
}

function Finished({ steps }: Pick<Overview, 'steps'>) {
  const { steps: texts } = useOverviewWords()
  const done = STEPS.filter(({ name }) => steps[name])
  const progress = interpolate(texts.progress, { done: done.length, all: STEPS.length })
  if (done.length === 0) return null
  return (
    <details className={classes.finished}>
      <summary>
        <IconChevronRight size={14} />
        {progress}
      </summary>
      <ul>
        {done.map(({ name }) => (
          <li key={name}>
            <IconCheck size={16} />
            {texts[name].title}
          </li>
        ))}
      </ul>
    </details>
  )
}
