import { Text } from '@mantine/core'
import type { FunctionComponent, ReactNode } from 'react'
import type { IconProps } from '../icons/icon.tsx'
import { EmptySample, type SampleKind } from './empty-sample.tsx'
import classes from './parts.module.css'
import { SectionTitle } from './section.tsx'

interface Props {
  icon: FunctionComponent<IconProps>
  /** A drawing of what will be here; absent where something is left out, such as by a filter. */
  sample?: SampleKind
  title: string
  text: string
  /** The one next step, then a link to more about it. */
  children?: ReactNode
}

/** Shows and says what will be here, and offers the next step. */
export const EmptyState = ({ icon: Icon, sample, title, text, children }: Props) => (
  <div className={classes.empty}>
    {sample ? (
      <EmptySample kind={sample} icon={Icon} />
    ) : (
      <div className={classes.emptyIcon} aria-hidden>
        <Icon size={22} stroke={1.5} />
      </div>
    )}
    <SectionTitle>{title}</SectionTitle>
    <Text size="sm">{text}</Text>
    {children !== undefined && <div className={classes.emptySteps}>{children}</div>}
  </div>
)
