import { Title } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { isolateIn } from '../../../domain/isolate-text.ts'
import { arriveAt } from './focus/navigation-focus.ts'
import classes from './parts.module.css'

interface Props {
  title: string
  /** Shown before the title in the tab, such as `3 in progress`. */
  news?: string | null
  /** Beside the title. */
  children?: ReactNode
  actions?: ReactNode
}

/** The heading of a page with its actions; sets the title of the tab, and takes the focus after a navigation. */
export function PageHeader({ title, news = null, children, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = [news, isolateIn('', title), 'Reelgate'].filter(Boolean).join(' · ')
    arriveAt(heading.current, title)
  }, [news, title])
  return (
    <div className={classes.header}>
      <div className={classes.heading}>
        <Title order={1} ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </Title>
        {children}
      </div>
      <div className={classes.actions}>{actions}</div>
    </div>
  )
}
