import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import IconHome from '@tabler/icons-react/dist/esm/icons/IconHome.mjs'
import IconMovie from '@tabler/icons-react/dist/esm/icons/IconMovie.mjs'
import IconShield from '@tabler/icons-react/dist/esm/icons/IconShield.mjs'
import { Link } from '@tanstack/react-router'
import { useWords } from '../words/words.tsx'
import { NearlyUsed } from './nearly-used.tsx'
import classes from './shell.module.css'

/** The areas of the dashboard. An area comes into the list with its first page. */
const AREAS = [
  { to: '/accounts/$account', word: 'overview', icon: <IconHome size={18} stroke={1.75} /> },
  { to: '/accounts/$account/videos', word: 'videos', icon: <IconMovie size={18} stroke={1.75} /> },
  {
    to: '/accounts/$account/developers',
    word: 'developers',
    icon: <IconCode size={18} stroke={1.75} />,
  },
  {
    to: '/accounts/$account/security',
    word: 'security',
    icon: <IconShield size={18} stroke={1.75} />,
  },
  {
    to: '/accounts/$account/settings',
    word: 'settings',
    icon: <IconAdjustmentsHorizontal size={18} stroke={1.75} />,
  },
  { to: '/accounts/$account/usage', word: 'usage', icon: <IconChartBar size={18} stroke={1.75} /> },
] as const

/** The address of the overview begins that of every page. */
const isExact = { exact: true, includeSearch: false }
const isWithin = { exact: false, includeSearch: false }

interface Props {
  account: string
}

/** The links to the areas, and what is nearly used up. */
export function Navigation({ account }: Props) {
  const { areas } = useWords()
  return (
    <nav className={classes.nav} aria-label={areas.label}>
      {AREAS.map(({ to, word, icon }) => (
        <Link
          key={to}
          to={to}
          params={{ account }}
          className={classes.link}
          activeOptions={word === 'overview' ? isExact : isWithin}
        >
          {icon}
          {areas[word]}
        </Link>
      ))}
      <NearlyUsed account={account} />
    </nav>
  )
}
