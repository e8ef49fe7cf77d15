import { Text, Title, type TitleProps } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { useHeadingLevels } from './heading-level.ts'
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

/** The heading of a part of a page, one level below that of the page. */
export const SectionTitle = (props: Omit<TitleProps, 'order'>) => (
  <Title order={useHeadingLevels().section} {...props} />
)

/** A part of a page with its heading. */
export function Section(props: Props) {
  const { title, actions, hint, id, className = layout.section, children } = props
  const ownId = useId()
  const titleId = id ?? ownId
  const heading = <SectionTitle id={titleId}>{title}</SectionTitle>
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
