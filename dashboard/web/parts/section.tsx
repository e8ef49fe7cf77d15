import { Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import layout from './layout.module.css'

interface Props {
  title: ReactNode
  /** Beside the title. */
  actions?: ReactNode
  /** Below the title. */
  hint?: string
  /** The id of the title. */
  id?: string
  className?: string
  children: ReactNode
}

/** A part of a page with its heading. */
export function Section(props: Props) {
  const { title, actions, hint, id, className = layout.section, children } = props
  const ownId = useId()
  const titleId = id ?? ownId
  const heading = (
    <Title order={2} id={titleId}>
      {title}
    </Title>
  )
  return (
    <section className={className} aria-labelledby={titleId}>
      {actions === undefined ? (
        heading
      ) : (
        <div className={layout.head}>
          {heading}
          {actions}
        </div>
      )}
      {hint !== undefined && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
      {children}
    </section>
  )
}
