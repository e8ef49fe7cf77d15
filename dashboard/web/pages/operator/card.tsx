import type { ReactNode } from 'react'
import { interpolate } from '../../locales/interpolate.ts'
import layout from '../../parts/layout.module.css'
import { Section } from '../../parts/section.tsx'
import classes from './operator.module.css'
import { useOperatorWords } from './words.ts'

interface Part<T> {
  reason: string | null
  data: T | null
}

interface PartProps<T> {
  title: string
  part: Part<T>
  children: (data: T) => ReactNode
}

/** A part of the installation: what `children` make of its data, or why it has none. */
export const PartCard = <T,>({ title, part, children }: PartProps<T>) => (
  <Section className={layout.card} title={title}>
    {part.data === null ? <Away reason={part.reason} /> : children(part.data)}
  </Section>
)

/** Why a part has no data. */
export function Away({ reason }: { reason: string | null }) {
  const { away } = useOperatorWords()
  return <p className={classes.bad}>{interpolate(away, { reason: reason ?? '' })}</p>
}
