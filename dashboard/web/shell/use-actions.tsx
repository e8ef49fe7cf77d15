import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { meQuery } from '../api/me.ts'
import {
  IconBuilding,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSearch,
  IconUser,
} from '../icons/icons.tsx'
import { interpolate } from '../locales/interpolate.ts'
import { useWords } from '../locales/words.tsx'
import { pageActions, type Action } from '../parts/page-actions.ts'
import { AREA_KEYS, useAreas } from './areas.tsx'
import { openList } from './shortcuts.ts'

/** All that can be done here: the actions of the page, the areas, and what concerns the whole dashboard. */
export function useActions(account: string): readonly Action[] {
  const page = pageActions.use()
  const areas = useAreaActions(account)
  const general = useGeneralActions(account)
  return useMemo(() => [...page, ...areas, ...general], [page, areas, general])
}

function useAreaActions(account: string): Action[] {
  const { areas: words, videos } = useWords()
  const navigate = useNavigate()
  const areas = useAreas(account)
  const { data: me } = useQuery(meQuery(account))
  const mayEdit = me !== undefined && me.role !== 'reader'
  return useMemo(() => {
    const params = { account }
    const links = areas.map(({ to, word, icon }) => ({
      id: word,
      group: 'areas' as const,
      label: words[word],
      icon,
      key: AREA_KEYS[word],
      run: () => void navigate({ to, params }),
    }))
    const own = {
      id: 'me',
      group: 'areas' as const,
      label: words.me,
      icon: <IconUser size={18} stroke={1.75} />,
      run: () => void navigate({ to: '/accounts/$account/me', params }),
    }
    const add = {
      id: 'add',
      group: 'actions' as const,
      label: videos.add,
      icon: <IconPlus size={18} stroke={1.75} />,
      key: 'a',
      run: () => void navigate({ to: '/accounts/$account/videos/add', params }),
    }
    const search = {
      id: 'search-captions',
      group: 'actions' as const,
      label: videos.searchCaptions,
      icon: <IconSearch size={18} stroke={1.75} />,
      run: () => void navigate({ to: '/accounts/$account/videos/search', params }),
    }
    return [...(mayEdit ? [add] : []), search, ...links, own]
  }, [account, areas, words, videos, navigate, mayEdit])
}

function useGeneralActions(account: string): Action[] {
  const { actions: words, account: texts } = useWords()
  const { data: me } = useQuery(meQuery(account))
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return useMemo(() => {
    const others = (me?.accounts ?? []).filter(({ id }) => String(id) !== account)
    const actions: Action[] = [
      ...others.map(({ id, name }) => ({
        id: `account-${id}`,
        label: interpolate(words.openAccount, { name }),
        icon: <IconBuilding size={18} stroke={1.75} />,
        run: () => openAccount(id),
      })),
      {
        id: 'scheme',
        label: words.scheme,
        icon: <IconMoon size={18} stroke={1.75} />,
        run: () => setColorScheme(isDark(colorScheme) ? 'light' : 'dark'),
      },
      {
        id: 'help',
        label: words.help,
        icon: <IconKeyboard size={18} stroke={1.75} />,
        run: () => openList.set('help'),
      },
      {
        id: 'sign-out',
        label: texts.signOut,
        icon: <IconLogout size={18} stroke={1.75} />,
        run: signOut,
      },
    ]
    return actions.map((action) => ({ ...action, group: 'actions' as const }))
  }, [account, me, words, texts, colorScheme, setColorScheme])
}

/** Nothing of one account may stay on the screen of another: the page is loaded again. */
const openAccount = (id: number): void => location.assign(`/accounts/${id}`)

const isDark = (scheme: string): boolean =>
  scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)

function signOut(): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/sign-out'
  document.body.append(form)
  form.submit()
}
