import type { ReactNode } from 'react'
import classes from './developers.module.css'

/** Names and values, as `Fact`s. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className={classes.facts}>{children}</dl>
)

/** A fact that is not known is left out. */
export const Fact = ({ name, value }: { name: string; value: ReactNode }) =>
  Boolean(value) && (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
