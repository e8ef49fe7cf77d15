import { Skeleton, VisuallyHidden } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'
import { useWords } from '../../locales/words.tsx'
import classes from './data-table.module.css'
import { TableChoices } from './table-choices.tsx'
import { useDensity, useHiddenColumns } from './table-view.ts'
import { useStickyHead } from './use-sticky-head.ts'

interface Props {
  /** What the rows are, for screen readers. */
  label: string
  /** The headings. */
  columns: readonly string[]
  /** The name under which the browser keeps what a person chose for the table; absent if its few columns are always shown. */
  name?: string
  /** The heading of a first column that is as narrow as its content, such as a box that selects all rows. */
  lead?: ReactNode
  /** True if the last cell of each row has buttons; its heading is for screen readers. */
  hasActions?: boolean
  /** `tr` elements of `Cell`s. */
  children: ReactNode
}

/** Rows in a frame. On a narrow screen each row is a block, and its cells carry their headings. */
export function DataTable({ label, columns, name, lead, hasActions = false, children }: Props) {
  const [density] = useDensity()
  const [hidden] = useHiddenColumns(name)
  const { frame, fits } = useStickyHead()
  const before = lead === undefined ? 1 : 2
  return (
    <div className={classes.frame}>
      {name !== undefined && <TableChoices name={name} columns={columns} />}
      <div ref={frame} className={classes.card} data-fits={fits === true}>
        <table
          className={classes.table}
          aria-label={label}
          data-density={density}
          data-choices={name !== undefined || undefined}
          data-hidden={hidden.map((place) => place + before).join(' ') || undefined}
          // Only rows that come later are seen to arrive.
          data-settled={fits !== null}
        >
          <thead>
            <tr>
              {lead !== undefined && (
                <th scope="col" data-lead>
                  {lead}
                </th>
              )}
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
    </div>
  )
}

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
  /** True for a cell of the column that `lead` heads. */
  isLead?: boolean
  /** True for a cell that narrow screens leave out; `Folded` shows what it says. */
  isFolded?: boolean
  /** True for the cell that names its row. */
  isHeading?: boolean
  children: ReactNode
}

export function Cell({ label, isHeading = false, children, ...kinds }: CellProps) {
  const marks = {
    'data-wide': kinds.isWide || undefined,
    'data-corner': kinds.isCorner || undefined,
    'data-lead': kinds.isLead || undefined,
    'data-folded': kinds.isFolded || undefined,
  }
  const content = (
    <>
      {label !== undefined && (
        <span className={classes.label} aria-hidden>
          {label}
        </span>
      )}
      {children}
    </>
  )
  if (!isHeading) return <td {...marks}>{content}</td>
  return (
    <th scope="row" {...marks}>
      {content}
    </th>
  )
}

/** The wide cell of a row: a title with `RowNote`s and `Folded` values below it, cut rather than wrapped. */
export const MainCell = ({ children }: { children: ReactNode }) => (
  <Cell isWide>
    <div className={classes.main}>{children}</div>
  </Cell>
)

export const RowTitle = ({ children }: { children: ReactNode }) => (
  <div className={classes.title}>{children}</div>
)

interface RowLinkProps {
  ref?: Ref<HTMLAnchorElement>
  children?: ReactNode
}

/** A title that leads to the page of its row; the whole row is the link. */
export const RowLink = createLink(({ ref, children, ...props }: RowLinkProps) => (
  <a ref={ref} {...props} className={`${classes.title} ${classes.rowLink}`}>
    {children}
  </a>
))

export const RowNote = ({ children }: { children: ReactNode }) => (
  <div className={classes.note}>{children}</div>
)

/** The values of the folded cells, in a row of their own on narrow screens. */
export const Folded = ({ children }: { children: ReactNode }) => (
  <div className={classes.folded}>{children}</div>
)

interface SkeletonProps {
  rows?: number
  /** Of what is in a row. */
  height?: number
}

/** As high as the head and the rows that will come. */
export const TableSkeleton = ({ rows = 5, height = 20 }: SkeletonProps) => (
  <div className={classes.card} data-skeleton aria-hidden>
    {Array.from({ length: rows }, (_, row) => (
      <Skeleton key={row} height={height} width="auto" radius="sm" />
    ))}
  </div>
)
