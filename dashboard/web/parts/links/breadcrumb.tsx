import { Children, type ReactNode } from 'react'
import { useWords } from '../../locales/words.tsx'
import classes from '../parts.module.css'

interface Props {
  /** Links to the pages above this one, the nearest last. */
  children: ReactNode
  /** At the other end of the line, such as the links to the rows before and after. */
  beside?: ReactNode
}

/** Where a page is, above its header. */
export function Breadcrumb({ children, beside }: Props) {
  const { parts } = useWords()
  return (
    <div className={classes.above}>
      <nav aria-label={parts.breadcrumb}>
        <ol className={classes.breadcrumb}>
          {Children.map(children, (link) => (
            <li>{link}</li>
          ))}
        </ol>
      </nav>
      {beside}
    </div>
  )
}
