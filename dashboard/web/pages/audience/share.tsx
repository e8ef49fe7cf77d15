import type { ReactNode } from 'react'
import classes from './audience.module.css'

interface Props {
  /** From 0 to 1; null for a value without a bar. */
  value: number | null
  children: ReactNode
}

/** A value with a bar below it, which says nothing more. */
export const Share = ({ value, children }: Props) => (
  <div className={classes.share}>
    <span>{children}</span>
    {value !== null && (
      <div className={classes.track} aria-hidden>
        <div style={{ inlineSize: `${100 * value}%` }} />
      </div>
    )}
  </div>
)
