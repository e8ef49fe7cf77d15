import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import classes from './data-table.module.css'

interface Props {
  /** What the rows are, for screen readers. */
  label: string
  /** The headings. */
  columns: readonly string[]
  /** True if the last cell of each row has buttons; its heading is for screen readers. */
  hasActions?: boolean
  /** `tr` elements of `Cell`s. */
  children: ReactNode
}

/** Rows in a frame. On a narrow screen each row is a block, and its cells carry their headings. */
export const DataTable = ({ label, columns, hasActions = false, children }: Props) => (
  <div className={classes.card}>
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
          {hasActions && <ActionsHeading />}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)

function ActionsHeading() {
  const { parts } = useWords()
  return (
    <th scope="col">
      <VisuallyHidden>{parts.actions}</VisuallyHidden>
    </th>
  )
}

interface CellProps {
  /** The heading, for narrow screens; without one the cell takes a whole line. */
  label?: string
  /** True for the cell that takes the room that is left. */
  isWide?: boolean
  /** True for a small button, which stands in the corner of the block on narrow screens. */
  isCorner?: boolean
  children: ReactNode
}

export const Cell = ({ label, isWide = false, isCorner = false, children }: CellProps) => (
  <td data-wide={isWide || undefined} data-corner={isCorner || undefined}>
    {label !== undefined && (
      <span className={classes.label} aria-hidden>
        {label}
      </span>
    )}
    {children}
  </td>
)

/** As high as the rows that will come. */
export const TableSkeleton = ({ rows = 5 }: { rows?: number }) => (
  <div className={classes.card} aria-hidden>
    {Array.from({ length: rows }, (_, row) => (
      <Skeleton key={row} height={36} m="sm" width="auto" />
    ))}
  </div>
)
