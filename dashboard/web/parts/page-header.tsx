import { Title, VisuallyHidden } from '@mantine/core'
import { use, useEffect, useRef, type ReactNode } from 'react'
import { isolateIn } from '../../../domain/isolate-text.ts'
import { arriveAt } from './focus/navigation-focus.ts'
import { AreaTitle, useHeadingLevels } from './heading-level.ts'
import classes from './parts.module.css'

interface Props {
  title: string
  /** Shown before the title in the tab, such as `3 in progress`. */
  news?: string | null
  /** True if the tab of the area says the same: then the heading is for screen readers. */
  isHidden?: boolean
  /** Beside the title. */
  children?: ReactNode
  actions?: ReactNode
}

/**
 * The heading of a page with its actions; sets the title of the tab, and takes the focus after a navigation. In an area
 * with tabs (`AreaFrame`) it stands below them.
 */
export function PageHeader({ title, news = null, isHidden = false, children, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { page: order } = useHeadingLevels()
  const area = use(AreaTitle)
  useEffect(() => {
    const names = [news, isolateIn('', title), area === title ? null : area, 'Reelgate']
    document.title = names.filter(Boolean).join(' · ')
    arriveAt(heading.current, title)
  }, [news, title, area])
  const text = (
    <Title order={order} ref={heading} tabIndex={-1} data-page-heading>
      <bdi>{title}</bdi>
    </Title>
  )
  if (isHidden) return <VisuallyHidden component="div">{text}</VisuallyHidden>
  return (
    <div className={classes.header}>
      <div className={classes.heading}>
        {text}
        {children}
      </div>
      <div className={classes.actions}>{actions}</div>
    </div>
  )
}
