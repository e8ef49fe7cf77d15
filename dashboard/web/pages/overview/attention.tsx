import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/overview.ts'
import { IconCircleCheck } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import layout from '../../parts/layout.module.css'
import { ButtonLink } from '../../parts/links/links.tsx'
import { Section } from '../../parts/section.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { LongText } from '../../parts/text/long-text.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import classes from './overview.module.css'
import type { Trouble } from './troubles.ts'
import { useOverviewWords } from './words.ts'

interface Props {
  account: string
  troubles: readonly Trouble[]
  failed: Overview['failed_videos']
}

/** What needs a person, each with its one action. */
export function Attention({ account, troubles, failed }: Props) {
  const { attention } = useOverviewWords()
  const { number } = useFormats()
  return (
    <Section className={layout.card} title={attention.title}>
      <ul className={classes.rows}>
        {troubles.map((trouble) => (
          <TroubleRow key={trouble.key} account={account} trouble={trouble} />
        ))}
      </ul>
      {failed.count > failed.data.length && (
        <Link
          className={classes.all}
          to="/accounts/$account/videos"
          params={{ account }}
          search={{ status: 'failed' }}
        >
          {interpolate(attention.allFailed, { number: number(failed.count) })}
        </Link>
      )}
    </Section>
  )
}

/** Says in one line that nothing needs a person. */
export function Calm() {
  const { attention } = useOverviewWords()
  return (
    <p className={classes.calm}>
      <IconCircleCheck size={18} />
      {attention.none}
    </p>
  )
}

function TroubleRow({ account, trouble }: { account: string; trouble: Trouble }) {
  const { attention } = useOverviewWords()
  const { title, text, error, at, isBad, action } = trouble
  const to: string = `/accounts/$account/${trouble.path}`
  return (
    <li className={classes.trouble} data-bad={isBad}>
      <div className={classes.what}>
        <strong>
          <LongText>{title}</LongText>
        </strong>
        <p>{text}</p>
        {(at !== null || error !== undefined) && (
          <p className={layout.under}>
            {at !== null && <RelativeTime at={at} />}
            {error !== undefined && (
              <span>
                {attention.lastError} <code dir="ltr">{error}</code>
              </span>
            )}
          </p>
        )}
      </div>
      <ButtonLink
        variant="default"
        size="compact-sm"
        to={to}
        params={{ account }}
        aria-label={`${action}: ${title}`}
      >
        {action}
      </ButtonLink>
    </li>
  )
}
