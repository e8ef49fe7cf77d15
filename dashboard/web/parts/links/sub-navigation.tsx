import { createLink } from '@tanstack/react-router'
import { useRef, type ReactNode, type Ref } from 'react'
import classes from '../parts.module.css'
import { useChosenInView } from './use-chosen-in-view.ts'

interface Props {
  /** The area, for screen readers. */
  label: string
  /** `SubLink`s. */
  children: ReactNode
}

/** The pages of an area, above each of them. On a narrow screen the row scrolls to the current one. */
export function SubNavigation({ label, children }: Props) {
  const row = useRef<HTMLElement>(null)
  useChosenInView(row, '[aria-current=page]')
  return (
    <nav ref={row} className={classes.subNavigation} aria-label={label}>
      {children}
    </nav>
  )
}

/** A link to a page of the area. The first page, whose address begins the others, needs `activeOptions={{ exact: true }}`. */
export const SubLink = createLink(
  ({ ref, children, ...props }: { ref?: Ref<HTMLAnchorElement>; children?: ReactNode }) => (
    <a ref={ref} {...props}>
      {children}
    </a>
  ),
)
