import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useIsOperator, useIsOwner } from '../api/me.ts'
import {
  IconAdjustmentsHorizontal,
  IconChartBar,
  IconCode,
  IconHistory,
  IconHome,
  IconMovie,
  IconServer,
  IconShield,
  IconUsers,
} from '../icons/icons.tsx'
import { useWords } from '../locales/words.tsx'
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
  { to: '/accounts/$account/team', word: 'team', icon: <IconUsers size={18} stroke={1.75} /> },
  { to: '/accounts/$account/audit', word: 'audit', icon: <IconHistory size={18} stroke={1.75} /> },
  {
    to: '/accounts/$account/operator',
    word: 'operator',
    icon: <IconServer size={18} stroke={1.75} />,
  },
] as const

type Area = (typeof AREAS)[number]

/** The one-letter shortcuts of areas. */
export const AREA_KEYS: Readonly<Record<string, string>> = {
  overview: 'o',
  videos: 'v',
  security: 's',
  developers: 'd',
  settings: 'e',
  usage: 'u',
  team: 't',
  audit: 'l',
}

/** Only owners may read them. */
const OF_OWNERS: readonly string[] = ['audit']
/** For every other member there is no such page. */
const OF_OPERATORS: readonly string[] = ['operator']

/** The areas that the member may open. */
export function useAreas(account: string): readonly Area[] {
  const isOwner = useIsOwner(account)
  const isOperator = useIsOperator(account)
  return useMemo(
    () =>
      AREAS.filter(
        ({ word }) =>
          (isOwner || !OF_OWNERS.includes(word)) && (isOperator || !OF_OPERATORS.includes(word)),
      ),
    [isOwner, isOperator],
  )
}

/** The address of the overview begins that of every page. */
const isExact = { exact: true, includeSearch: false }
const isWithin = { exact: false, includeSearch: false }

interface Props {
  account: string
}

/** The links to the areas, and what is nearly used up. */
export function Navigation({ account }: Props) {
  const { areas: words } = useWords()
  const areas = useAreas(account)
  return (
    <nav className={classes.nav} aria-label={words.label}>
      {areas.map(({ to, word, icon }) => (
        <Link
          key={to}
          to={to}
          params={{ account }}
          className={classes.link}
          activeOptions={word === 'overview' ? isExact : isWithin}
        >
          {icon}
          {words[word]}
        </Link>
      ))}
      <NearlyUsed account={account} />
    </nav>
  )
}
