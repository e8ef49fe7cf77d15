import { Link, useLocation } from '@tanstack/react-router'
import { useId } from 'react'
import { useWords } from '../locales/words.tsx'
import { AREA_GROUPS, useAreas, type Area } from './areas.tsx'
import { NearlyUsed } from './nearly-used.tsx'
import classes from './shell.module.css'

/** The address of the overview begins that of every page. */
const isExact = { exact: true, includeSearch: false }
const isWithin = { exact: false, includeSearch: false }

interface Props {
  account: string
}

/** The links to the areas in groups, and what is nearly used up. */
export function Navigation({ account }: Props) {
  const { areas: words } = useWords()
  const areas = useAreas(account)
  return (
    <nav className={classes.nav} aria-label={words.label}>
      {AREA_GROUPS.map((group) => (
        <Group
          key={group}
          account={account}
          name={words.groups[group]}
          // The first group holds the pages that everyone uses, and a group of one link needs no name.
          isNamed={group !== 'work' && group !== 'instance'}
          areas={areas.filter((area) => area.group === group)}
        />
      ))}
      <NearlyUsed account={account} />
    </nav>
  )
}

interface GroupProps extends Props {
  name: string
  isNamed: boolean
  areas: readonly Area[]
}

function Group({ account, name, isNamed, areas }: GroupProps) {
  const id = useId()
  if (areas.length === 0) return null
  return (
    <div className={classes.group}>
      {isNamed && (
        <span id={id} className={classes.groupName}>
          {name}
        </span>
      )}
      <ul aria-labelledby={isNamed ? id : undefined} aria-label={isNamed ? undefined : name}>
        {areas.map((area) => (
          <li key={area.word}>
            <AreaLink account={account} area={area} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function AreaLink({ account, area: { to, word, icon } }: Props & { area: Area }) {
  const { areas: words } = useWords()
  const { pathname } = useLocation()
  // The plan is a page of the usage, at an address of its own.
  const isPlan = word === 'usage' && pathname === `/accounts/${account}/plan`
  return (
    <Link
      to={to}
      params={{ account }}
      className={classes.link}
      activeOptions={word === 'overview' ? isExact : isWithin}
      aria-current={isPlan ? 'page' : undefined}
    >
      {icon}
      {words[word]}
    </Link>
  )
}
