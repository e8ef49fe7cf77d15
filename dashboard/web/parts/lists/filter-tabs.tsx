import { createLink } from '@tanstack/react-router'
import { useRef, type ReactNode, type Ref } from 'react'
import { useChosenInView } from '../links/use-chosen-in-view.ts'
import { useFormats } from '../text/formats.ts'
import classes from './filter-tabs.module.css'

interface Props {
  /** What is filtered, for screen readers. */
  label: string
  /** `FilterTab`s. */
  children: ReactNode
}

/** The values of a filter as links, of which one is chosen. On a narrow screen the row scrolls to it. */
export function FilterTabs({ label, children }: Props) {
  const row = useRef<HTMLElement>(null)
  useChosenInView(row, '[data-chosen=true]')
  return (
    <nav ref={row} className={classes.tabs} aria-label={label}>
      {children}
    </nav>
  )
}

interface TabParts {
  ref?: Ref<HTMLAnchorElement>
  isChosen: boolean
  /** How many rows have the value; null while that is not known, absent if it is not counted. */
  count?: number | null
  children?: ReactNode
}

/** A link to the list with one value of the filter. */
export const FilterTab = createLink(({ ref, isChosen, count, children, ...props }: TabParts) => (
  <a ref={ref} {...props} className={classes.tab} data-chosen={isChosen}>
    {children}
    {count !== undefined && <Count count={count} />}
  </a>
))

function Count({ count }: { count: number | null }) {
  const { number } = useFormats()
  return <span className={classes.count}>{count !== null && number(count)}</span>
}
