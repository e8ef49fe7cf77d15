import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PlaybackFilter } from '../../api/security.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { TextLink } from '../../parts/links/links.tsx'
import { FilterChips as Chips, FilterChip } from '../../parts/lists/filter-chip.tsx'
import { LongText } from '../../parts/text/long-text.tsx'
import classes from './security.module.css'
import { useSecurityWords } from './words.ts'

interface Props {
  /** What the list shows after the click, in addition. */
  filter: PlaybackFilter & { type?: string }
  /** The value, for the hint. */
  value: string
  /** In place of the value in one line. */
  children?: ReactNode
}

/** A value in a cell; it filters the list by itself. What people typed cannot turn the text around it. */
export function FilterLink({ filter, value, children }: Props) {
  const words = useSecurityWords()
  return (
    <Link
      to="."
      search={(now) => ({ ...now, after: undefined, before: undefined, ...filter })}
      className={classes.value}
      title={interpolate(words.filter, { value })}
    >
      {children ?? <LongText hint={null}>{value}</LongText>}
    </Link>
  )
}

type Without = { readonly [Name in keyof PlaybackFilter]?: undefined }

interface ChipsProps {
  filter: PlaybackFilter
  /** The title of the video, if it is known. */
  videoTitle?: string | null | undefined
}

/** The values that the list is filtered by, each with a link that removes it. */
export function FilterChips({ filter: { video, viewer, host }, videoTitle }: ChipsProps) {
  const { columns, watched } = useSecurityWords()
  return (
    <Chips className={classes.chips}>
      {video !== undefined && (
        <Chip name={columns.video} value={videoTitle ?? video} without={{ video: undefined }} />
      )}
      {viewer !== undefined && (
        <Chip name={columns.viewer} value={viewer} without={{ viewer: undefined }} />
      )}
      {viewer !== undefined && (
        <TextLink
          from="/accounts/$account"
          to="/accounts/$account/audience/viewer"
          search={{ id: viewer }}
          size="sm"
        >
          {watched}
        </TextLink>
      )}
      {host !== undefined && (
        <Chip name={columns.site} value={host} without={{ host: undefined }} />
      )}
    </Chips>
  )
}

function Chip({ name, value, without }: { name: string; value: string; without: Without }) {
  const words = useSecurityWords()
  return <FilterChip {...{ name, value, without }} label={interpolate(words.remove, { value })} />
}
