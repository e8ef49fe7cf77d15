import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconMovie from '@tabler/icons-react/dist/esm/icons/IconMovie.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { useMemo } from 'react'
import { useIsOwner } from '../api/me.ts'

/** The areas of the dashboard. An area comes into the list with its first page; `key` is its shortcut. */
const AREAS = [
  {
    to: '/accounts/$account/videos',
    word: 'videos',
    key: 'v',
    icon: <IconMovie size={18} stroke={1.75} />,
  },
  {
    to: '/accounts/$account/team',
    word: 'team',
    key: 't',
    icon: <IconUsers size={18} stroke={1.75} />,
  },
  {
    to: '/accounts/$account/audit',
    word: 'audit',
    key: 'l',
    icon: <IconHistory size={18} stroke={1.75} />,
  },
] as const

/** Only owners may read them. */
const OF_OWNERS: readonly string[] = ['audit']

/** The areas that the member may open. */
export function useAreas(account: string): readonly (typeof AREAS)[number][] {
  const isOwner = useIsOwner(account)
  return useMemo(() => AREAS.filter(({ word }) => isOwner || !OF_OWNERS.includes(word)), [isOwner])
}
