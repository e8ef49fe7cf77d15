import type { ReactNode } from 'react'
import layout from '../../parts/layout.module.css'
import classes from './overview.module.css'

interface Props {
  main: readonly ReactNode[]
  beside: readonly ReactNode[]
}

/** Two columns; one below the other on a narrow page, and only one if the other is empty. */
export function Columns({ main, beside }: Props) {
  const columns = [main, beside].filter((parts) => parts.some(Boolean))
  if (columns.length === 0) return null
  return (
    <div className={classes.columns}>
      {columns.map((parts) => (
        <div key={parts === main ? 'main' : 'beside'} className={layout.stack}>
          {parts}
        </div>
      ))}
    </div>
  )
}
