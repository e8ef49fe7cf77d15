import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './parts.module.css'

interface Props {
  icon: ReactNode
  title: string
  text: string
  /** The one next step. */
  children?: ReactNode
}

/** Says what will be here, and offers the next step. */
export const EmptyState = ({ icon, title, text, children }: Props) => (
  <div className={classes.empty}>
    <div className={classes.emptyIcon} aria-hidden>
      {icon}
    </div>
    <Title order={2}>{title}</Title>
    <Text size="sm" mb="xs">
      {text}
    </Text>
    {children}
  </div>
)
