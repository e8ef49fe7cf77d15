import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useDirection } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Video } from '../../api/videos.ts'
import { ButtonLink } from '../../parts/links.tsx'
import { useWords } from '../../words/words.tsx'
import classes from './videos.module.css'

const route = getRouteApi('/accounts/$account/videos')

interface Props {
  page: { data: Video[]; has_more: boolean }
}

/** Links to the pages before and after, by cursor. */
export function Pager({ page: { data, has_more: hasMore } }: Props) {
  const { parts, videos } = useWords()
  const { account } = route.useParams()
  const { after, before } = route.useSearch()
  const { dir } = useDirection()
  // `has_more` speaks of the direction that was asked for.
  const isBackward = before !== undefined
  const hasNewer = isBackward ? hasMore : after !== undefined
  const hasOlder = isBackward || hasMore
  if (!hasNewer && !hasOlder) return null
  const [Left, Right] =
    dir === 'rtl' ? [IconChevronRight, IconChevronLeft] : [IconChevronLeft, IconChevronRight]
  const list = '/accounts/$account/videos'
  const link = { from: list, to: list, params: { account }, variant: 'default' } as const
  return (
    <nav className={classes.pager} aria-label={videos.pages}>
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
