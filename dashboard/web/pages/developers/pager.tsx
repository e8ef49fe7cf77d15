import { useDirection } from '@mantine/core'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import type { Cursors } from '../../api/cursors.ts'
import { ButtonLink } from '../../parts/links.tsx'
import { useWords } from '../../words/words.tsx'
import classes from './developers.module.css'
import { useDeveloperWords } from './words.ts'

interface Props {
  page: { data: { id: number }[]; has_more: boolean }
  cursors: Cursors
}

/** Links to the pages before and after, by cursor; the filters of the address stay. */
export function Pager({ page: { data, has_more: hasMore }, cursors: { after, before } }: Props) {
  const { parts } = useWords()
  const { deliveries } = useDeveloperWords()
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
    <nav className={classes.pager} aria-label={deliveries.pages}>
      {hasNewer && (
        <ButtonLink
          {...link}
          search={(now) => ({ ...now, after: undefined, before: data.at(0)?.id })}
          leftSection={<Left size={16} />}
        >
          {parts.previous}
        </ButtonLink>
      )}
      {hasOlder && (
        <ButtonLink
          {...link}
          search={(now) => ({ ...now, before: undefined, after: data.at(-1)?.id })}
          rightSection={<Right size={16} />}
        >
          {parts.next}
        </ButtonLink>
      )}
    </nav>
  )
}
