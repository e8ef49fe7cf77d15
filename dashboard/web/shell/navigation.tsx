import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import IconMovie from '@tabler/icons-react/dist/esm/icons/IconMovie.mjs'
import { Link } from '@tanstack/react-router'
import { useWords } from '../words/words.tsx'
import classes from './shell.module.css'

/** The areas of the dashboard. An area comes into the list with its first page. */
const AREAS = [
  { to: '/accounts/$account/videos', word: 'videos', icon: <IconMovie size={18} stroke={1.75} /> },
  {
    to: '/accounts/$account/developers',
    word: 'developers',
    icon: <IconCode size={18} stroke={1.75} />,
  },
  {
    to: '/accounts/$account/settings',
    word: 'settings',
    icon: <IconAdjustmentsHorizontal size={18} stroke={1.75} />,
  },
] as const

interface Props {
  account: string
}

/** The links to the areas. */
export function Navigation({ account }: Props) {
  const { areas } = useWords()
  return (
    <nav className={classes.nav} aria-label={areas.label}>
      {AREAS.map(({ to, word, icon }) => (
        <Link key={to} to={to} params={{ account }} className={classes.link}>
          {icon}
          {areas[word]}
        </Link>
      ))}
    </nav>
  )
}
