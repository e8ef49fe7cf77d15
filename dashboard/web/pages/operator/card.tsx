import { Title } from '@mantine/core'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { fill } from '../../words/fill.ts'
import classes from './operator.module.css'
import { useOperatorWords } from './words.ts'

interface Part<T> {
  reason: string | null
  data: T | null
}

interface Props {
  title: string
  /** Beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A part of the page with its heading. */
export function Card({ title, actions, children }: Props) {
  const id = useId()
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions}
      </div>
      {children}
    </section>
  )
}

interface PartProps<T> {
  title: string
  part: Part<T>
  children: (data: T) => ReactNode
}

/** A part of the installation: what `children` make of its data, or why it has none. */
export const PartCard = <T,>({ title, part, children }: PartProps<T>) => (
  <Card title={title}>
    {part.data === null ? <Away reason={part.reason} /> : children(part.data)}
  </Card>
)

/** Why a part has no data. */
export function Away({ reason }: { reason: string | null }) {
  const { away } = useOperatorWords()
  return <p className={classes.bad}>{fill(away, { reason: reason ?? '' })}</p>
}
