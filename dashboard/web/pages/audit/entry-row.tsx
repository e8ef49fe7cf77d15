import { Code } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { whoOf, type AuditEntry } from '../../api/audit.ts'
import layout from '../../parts/layout.module.css'
import { Cell } from '../../parts/lists/data-table.tsx'
import { LongText } from '../../parts/text/long-text.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { actionText } from './action-text.ts'
import classes from './audit.module.css'
import { Changes } from './changes.tsx'
import { useAuditWords } from './words.ts'

/** One change. Its actor, action and subject lead to the others that have the same. */
export function EntryRow({ entry }: { entry: AuditEntry }) {
  const words = useAuditWords()
  const { columns, kinds } = words
  const { actor, action, subject } = entry
  return (
    <tr className={classes.entry}>
      <Cell label={columns.when}>
        <RelativeTime at={entry.created_at} />
      </Cell>
      <Cell label={columns.who}>
        <div className={classes.actor}>
          <FilterLink filter={{ who: whoOf(actor) }}>
            <LongText>{actor.name}</LongText>
          </FilterLink>
          {actor.kind !== 'member' && <span className={layout.quiet}>{kinds[actor.kind]}</span>}
        </div>
      </Cell>
      <Cell label={columns.what}>
        <div>
          <FilterLink filter={{ action }}>{actionText(action, words)}</FilterLink>
          {subject !== '' && (
            <div className={layout.quiet}>
              <FilterLink filter={{ subject }}>
                <Code className={classes.subject}>
                  <LongText>{subject}</LongText>
                </Code>
              </FilterLink>
            </div>
          )}
        </div>
      </Cell>
      <Cell isWide>
        <Changes entry={entry} />
      </Cell>
    </tr>
  )
}

interface FilterLinkProps {
  filter: { who?: string; action?: string; subject?: string }
  children: ReactNode
}

/** Narrows the log to one value; the other filters stay. */
const FilterLink = ({ filter, children }: FilterLinkProps) => (
  <Link
    from="/accounts/$account/audit"
    to="."
    search={(now) => ({ ...now, ...filter, after: undefined, before: undefined })}
    className={classes.filter}
    activeOptions={{ exact: true }}
  >
    {children}
  </Link>
)
