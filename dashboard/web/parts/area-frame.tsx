import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { AreaTitle } from './heading-level.ts'
import { SubNavigation } from './links/sub-navigation.tsx'
import classes from './parts.module.css'

interface Props {
  title: string
  /** What the tabs are, for screen readers; the title, if absent. */
  label?: string
  /** `SubLink`s to the pages of the area. */
  tabs: ReactNode
  /** The open page. Its `PageHeader` is the second heading. */
  children: ReactNode
}

/** An area with several pages: its title, its tabs, then the open page. */
export const AreaFrame = ({ title, label = title, tabs, children }: Props) => (
  <>
    <Title order={1} className={classes.areaTitle}>
      {title}
    </Title>
    <SubNavigation label={label}>{tabs}</SubNavigation>
    <AreaTitle value={title}>{children}</AreaTitle>
  </>
)
