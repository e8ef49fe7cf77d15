import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'
import { IconX } from '../../icons/icons.tsx'
import classes from './filter-chip.module.css'

const IconLink = createLink(
  ({ ref, ...props }: ActionIconProps & { ref?: Ref<HTMLAnchorElement>; children?: ReactNode }) => (
    <ActionIcon component="a" ref={ref} {...props} />
  ),
)

interface Props {
  name: string
  value: string
  /** The parts of the address without which the list is not filtered by the value. */
  without: Readonly<Record<string, undefined>>
  /** What the link does, for those who do not see it. */
  label: string
}

/** A value that a list is filtered by, with a link that removes it. */
export const FilterChip = ({ name, value, without, label }: Props) => (
  <span className={classes.chip}>
    <span>
      <bdi>{name}</bdi>: <bdi>{value}</bdi>
    </span>
    <IconLink
      to="."
      search={(now) => ({ ...now, after: undefined, before: undefined, ...without })}
      variant="subtle"
      color="gray"
      size="xs"
      aria-label={label}
    >
      <IconX size={14} />
    </IconLink>
  </span>
)

/** The `FilterChip`s of a list. */
export const FilterChips = ({
  className,
  children,
}: {
  className?: string
  children: ReactNode
}) => <div className={`${classes.chips} ${className ?? ''}`}>{children}</div>
