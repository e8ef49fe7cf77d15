import { useMemo } from 'react'
import { useIsOperator, useIsOwner } from '../api/me.ts'
import {
  IconAdjustmentsHorizontal,
  IconChartBar,
  IconChartLine,
  IconCode,
  IconHistory,
  IconHome,
  IconMovie,
  IconServer,
  IconShield,
  IconUsers,
} from '../icons/icons.tsx'

const look = { size: 18, stroke: 1.75 }

/** The areas of the dashboard, by what they are for. An area comes into the list with its first page. */
const AREAS = [
  { group: 'work', to: '/accounts/$account', word: 'overview', icon: <IconHome {...look} /> },
  { group: 'work', to: '/accounts/$account/videos', word: 'videos', icon: <IconMovie {...look} /> },
  {
    group: 'work',
    to: '/accounts/$account/audience',
    word: 'audience',
    icon: <IconChartLine {...look} />,
  },
  {
    group: 'integration',
    to: '/accounts/$account/developers',
    word: 'developers',
    icon: <IconCode {...look} />,
  },
  {
    group: 'integration',
    to: '/accounts/$account/security',
    word: 'security',
    icon: <IconShield {...look} />,
  },
  {
    group: 'account',
    to: '/accounts/$account/settings',
    word: 'settings',
    icon: <IconAdjustmentsHorizontal {...look} />,
  },
  {
    group: 'account',
    to: '/accounts/$account/usage',
    word: 'usage',
    icon: <IconChartBar {...look} />,
  },
  { group: 'account', to: '/accounts/$account/team', word: 'team', icon: <IconUsers {...look} /> },
  {
    group: 'account',
    to: '/accounts/$account/audit',
    word: 'audit',
    icon: <IconHistory {...look} />,
  },
  {
    group: 'instance',
    to: '/accounts/$account/operator',
    word: 'operator',
    icon: <IconServer {...look} />,
  },
] as const

export type Area = (typeof AREAS)[number]

/** In the order of the navigation. */
export const AREA_GROUPS = ['work', 'integration', 'account', 'instance'] as const

/** The one-letter shortcuts of areas. */
export const AREA_KEYS: Readonly<Record<string, string>> = {
  overview: 'o',
  videos: 'v',
  audience: 'w',
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
