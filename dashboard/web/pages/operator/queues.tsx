import type { ReactNode } from 'react'
import type { Installation } from '../../api/operator.ts'
import { interpolate } from '../../locales/interpolate.ts'
import layout from '../../parts/layout.module.css'
import { useFormats } from '../../parts/text/formats.ts'
import { PartCard } from './card.tsx'
import classes from './operator.module.css'
import { useOperatorWords } from './words.ts'

/** What waits in each task queue of Temporal. */
export function TaskQueues({ part }: { part: Installation['task_queues'] }) {
  const words = useOperatorWords()
  const { number } = useFormats()
  return (
    <PartCard title={words.queues} part={part}>
      {(queues) => (
        <ul className={layout.list}>
          {queues.map(({ name, type, backlog, oldest_seconds: oldest, pollers }) => (
            <li key={`${name} ${type}`}>
              <Waiting
                label={
                  <code dir="ltr">
                    {name} · {type}
                  </code>
                }
                count={backlog}
                oldestSeconds={oldest}
              />
              {pollers !== null && (
                <span className={pollers === 0 ? classes.bad : layout.quiet}>
                  {words.pollers}: {number(pollers)}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </PartCard>
  )
}

/** What waits in the database: requests for Temporal, and deliveries. */
export function Backlogs({ part }: { part: Installation['backlogs'] }) {
  const words = useOperatorWords()
  return (
    <PartCard title={words.waiting} part={part}>
      {({ workflow_requests: requests, deliveries }) => (
        <ul className={layout.list}>
          <li>
            <Waiting
              label={words.requests}
              count={requests.count}
              oldestSeconds={requests.oldest_seconds}
            />
          </li>
          <li>
            <Waiting
              label={words.deliveries}
              count={deliveries.count}
              oldestSeconds={deliveries.oldest_seconds}
            />
          </li>
        </ul>
      )}
    </PartCard>
  )
}

interface WaitingProps {
  label: ReactNode
  count: number
  oldestSeconds: number
}

function Waiting({ label, count, oldestSeconds }: WaitingProps) {
  const words = useOperatorWords()
  const { number, duration } = useFormats()
  return (
    <div className={classes.row}>
      <span>{label}</span>
      <span className={classes.number}>
        {count === 0
          ? words.nothing
          : `${number(count)} · ${interpolate(words.oldest, { time: duration(oldestSeconds) })}`}
      </span>
    </div>
  )
}
