import { Link } from '@tanstack/react-router'
import type { Attempt, Delivery } from '../../../api/deliveries.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { Dot } from '../../../parts/text/dot.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import classes from '../developers.module.css'
import { useDeveloperWords } from '../words.ts'

interface Props {
  delivery: Delivery
  chosen: number | undefined
}

/** The attempts of a delivery, as links that show one of them. */
export function AttemptChoice({ delivery: { attempts }, chosen }: Props) {
  const { delivery: words } = useDeveloperWords()
  return (
    <nav className={classes.attempts} aria-label={words.attempts}>
      {attempts.map((attempt) => (
        <Link
          key={attempt.number}
          to="."
          search={(now) => ({ ...now, attempt: attempt.number })}
          replace
          resetScroll={false}
          className={classes.attempt}
          activeOptions={{ exact: true, includeSearch: true }}
          data-chosen={attempt.number === chosen}
          aria-current={attempt.number === chosen ? 'true' : undefined}
        >
          <AttemptName attempt={attempt} />
          <RelativeTime at={attempt.started_at} />
        </Link>
      ))}
    </nav>
  )
}

/** The number of an attempt, with the response in one word. */
function AttemptName({ attempt }: { attempt: Attempt }) {
  const { delivery: words } = useDeveloperWords()
  const { number, trigger, response_status: status, error_code: error } = attempt
  const name = interpolate(words.attempt, { number })
  return (
    <>
      <Dot tone={error === null ? 'good' : 'bad'}>
        {trigger === 'manual' ? `${name}, ${words.manual}` : name}
      </Dot>
      <span className={classes.mono} dir="ltr">
        {status ?? error}
      </span>
    </>
  )
}
