import { Text } from '@mantine/core'
import type { FunctionComponent, ReactNode } from 'react'
import type { IconProps } from '../icons/icon.tsx'
import classes from './parts.module.css'
import { SectionTitle } from './section.tsx'

interface Props {
  icon: FunctionComponent<IconProps>
  title: string
  text: string
  /** The one next step. */
  children?: ReactNode
}

/** Says what will be here, and offers the next step. */
export const EmptyState = ({ icon: Icon, title, text, children }: Props) => (
  <div className={classes.empty}>
    <div className={classes.emptyIcon} aria-hidden>
      <Icon size={28} stroke={1.5} />
    </div>
    <SectionTitle>{title}</SectionTitle>
    <Text size="sm" mb="xs">
      {text}
    </Text>
    {children}
  </div>
)
