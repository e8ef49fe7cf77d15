import { Link } from '@tanstack/react-router'
import { useWords } from '../words/words.tsx'
import { useAreas } from './areas.tsx'
import classes from './shell.module.css'

interface Props {
  account: string
}

/** The links to the areas. */
export function Navigation({ account }: Props) {
  const { areas: words } = useWords()
  const areas = useAreas(account)
  return (
    <nav className={classes.nav} aria-label={words.label}>
      {areas.map(({ to, word, icon }) => (
        <Link key={to} to={to} params={{ account }} className={classes.link}>
          {icon}
          {words[word]}
        </Link>
      ))}
    </nav>
  )
}
