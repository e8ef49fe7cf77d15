import { useDirection } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '../../icons/icons.tsx'
import { useWords } from '../../locales/words.tsx'
import { ButtonLink } from '../links/links.tsx'
import classes from './data-table.module.css'

interface Props {
  page: {
    data: readonly { id: string | number }[]
    has_more: boolean
    /** Of a list whose ids do not say their places. */
    next_cursor?: string | null
    previous_cursor?: string | null
  }
  /** The cursors in the address of this page. */
  cursors: { after?: unknown; before?: unknown }
}

/** Links to the pages before and after, by cursor; the filters of the address stay. */
export function Pager({ page, cursors: { after, before } }: Props) {
  const { data, has_more: hasMore, next_cursor: next, previous_cursor: previous } = page
  const { parts, videos } = useWords()
  const { dir } = useDirection()
  // `has_more` speaks of the direction that was asked for.
  const isBackward = before !== undefined
  const hasNewer = isBackward ? hasMore : after !== undefined
  const hasOlder = isBackward || hasMore
  if (!hasNewer && !hasOlder) return null
  const [Left, Right] =
    dir === 'rtl' ? [IconChevronRight, IconChevronLeft] : [IconChevronLeft, IconChevronRight]
  const link = { to: '.', variant: 'default' } as const
  return (
    <nav className={classes.pager} aria-label={videos.pages}>
      {hasNewer && (
        <ButtonLink
          {...link}
          search={(now) => ({ ...now, after: undefined, before: previous ?? textOf(data.at(0)) })}
          leftSection={<Left size={16} />}
        >
          {parts.previous}
        </ButtonLink>
      )}
      {hasOlder && (
        <ButtonLink
          {...link}
          search={(now) => ({ ...now, before: undefined, after: next ?? textOf(data.at(-1)) })}
          rightSection={<Right size={16} />}
        >
          {parts.next}
        </ButtonLink>
      )}
    </nav>
  )
}

/** The id of a row as in an address. */
const textOf = (row: { id: string | number } | undefined): string | undefined =>
  row && String(row.id)
