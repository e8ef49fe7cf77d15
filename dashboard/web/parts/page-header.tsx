import { Title } from '@mantine/core'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import classes from './parts.module.css'

interface Props {
  title: string
  /** Shown before the title in the tab, such as `3 in progress`. */
  news?: string | null
  /** Beside the title. */
  children?: ReactNode
  actions?: ReactNode
}

/** The heading of a page with its actions; sets the title of the tab. */
export function PageHeader({ title, news = null, children, actions }: Props) {
  useEffect(() => {
    document.title = [news, title, 'Reelgate'].filter(Boolean).join(' · ')
  }, [news, title])
  return (
    <div className={classes.header}>
      <div className={classes.heading}>
        <Title order={1}>
          <bdi>{title}</bdi>
        </Title>
        {children}
      </div>
      <div className={classes.actions}>{actions}</div>
    </div>
  )
}
