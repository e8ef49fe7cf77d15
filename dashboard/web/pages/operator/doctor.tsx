import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { doctorQuery } from '../../api/operator.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { Section } from '../../parts/section.tsx'
import classes from './operator.module.css'
import { useOperatorWords } from './words.ts'

/** The results of the command `doctor`, in its words, those that fail first. */
export function Doctor({ account }: { account: string }) {
  const words = useOperatorWords()
  const { data, error, isFetching, refetch } = useQuery(doctorQuery(account))
  const checks = data?.checks.toSorted((one, other) => Number(one.ok) - Number(other.ok))
  const again = (
    <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => void refetch()}>
      {words.again}
    </Button>
  )
  return (
    <Section className={layout.card} title={words.doctor} actions={again}>
      {error && <ErrorState error={error} />}
      {!checks && !error && <Skeleton height={240} />}
      {checks?.every(({ ok }) => ok) && <p>{words.allWell}</p>}
      {checks && (
        <ul className={layout.list} dir="ltr" lang="en">
          {checks.map(({ name, ok, detail }) => (
            <li key={name} className={classes.check} data-ok={ok}>
              <strong>
                {ok ? '' : '✗ '}
                {name}
              </strong>
              <span>{detail}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
