import type { Installation } from '../../api/operator.ts'
import { interpolate } from '../../locales/interpolate.ts'
import layout from '../../parts/layout.module.css'
import { useFormats } from '../../parts/text/formats.ts'
import { PartCard } from './card.tsx'
import classes from './operator.module.css'
import { useOperatorWords } from './words.ts'

/** The processes that run, and the queues that each worker serves. */
export function Processes({ part }: { part: Installation['processes'] }) {
  const words = useOperatorWords()
  return (
    <PartCard title={words.processes} part={part}>
      {(processes) =>
        processes.length === 0 ? (
          <p className={classes.bad}>{words.processesNone}</p>
        ) : (
          <ul className={layout.list}>
            {processes.map(({ name, queues }) => (
              <li key={name}>
                <code dir="ltr">{name}</code>
                <div className={layout.under} dir="ltr">
                  {queues.join(', ')}
                </div>
              </li>
            ))}
          </ul>
        )
      }
    </PartCard>
  )
}

/** The endpoints of all accounts that fail. */
export function Endpoints({ part }: { part: Installation['failing_endpoints'] }) {
  const words = useOperatorWords()
  const { number } = useFormats()
  return (
    <PartCard title={words.endpoints} part={part}>
      {(endpoints) =>
        endpoints.length === 0 ? (
          <p>{words.endpointsNone}</p>
        ) : (
          <ul className={layout.list}>
            {endpoints.map((endpoint) => (
              <li key={endpoint.id}>
                <bdi>{endpoint.host}</bdi>
                <div className={layout.under}>
                  <span>{interpolate(words.account, { id: endpoint.account_id })}</span>
                  <span>
                    {endpoint.disabled_reason === null
                      ? interpolate(words.failures, { number: number(endpoint.failure_count) })
                      : words.disabled}
                  </span>
                </div>
              </li>
            ))}
          </ul>
        )
      }
    </PartCard>
  )
}

/** The disks of the machine that serves the dashboard. */
export function Disks({ part }: { part: Installation['disks'] }) {
  const words = useOperatorWords()
  const { bytes } = useFormats()
  return (
    <PartCard title={words.disks} part={part}>
      {(disks) => (
        <ul className={layout.list}>
          {disks.map((disk) => (
            <li key={disk.folder}>
              <code dir="ltr">{disk.folder}</code>
              <div className={disk.is_low ? classes.bad : layout.quiet}>
                {interpolate(words.free, {
                  free: bytes(disk.free_bytes),
                  size: bytes(disk.size_bytes),
                })}
                {disk.is_low && ` · ${words.low}`}
              </div>
            </li>
          ))}
        </ul>
      )}
    </PartCard>
  )
}

export function Versions({ part }: { part: Installation['versions'] }) {
  const words = useOperatorWords()
  return (
    <PartCard title={words.versions} part={part}>
      {({ reelgate, node, postgresql }) => (
        <dl className={classes.facts}>
          <dt>Reelgate</dt>
          <dd>
            <bdi>{reelgate}</bdi>
          </dd>
          <dt>Node</dt>
          <dd>
            <bdi>{node}</bdi>
          </dd>
          <dt>PostgreSQL</dt>
          <dd>
            <bdi>{postgresql}</bdi>
          </dd>
        </dl>
      )}
    </PartCard>
  )
}
