import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiOf, unwrap } from '../../api/client.ts'
import { sessionsQuery, type Session } from '../../api/me.ts'
import { IconDeviceDesktop, IconDeviceMobile } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { ListSearch } from '../../parts/lists/list-search.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { notify } from '../../parts/notify.ts'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { browserName } from './browser-name.ts'
import classes from './me.module.css'
import { useMeWords } from './words.ts'

const route = getRouteApi('/accounts/$account/me')

/** The browsers in which the member is signed in; each can be signed out from here. */
export function Sessions({ account }: { account: string }) {
  const { sessions: words } = useMeWords()
  const client = useQueryClient()
  const cursors = route.useSearch()
  const { data: page, error, refetch } = useQuery(sessionsQuery(account, cursors))
  const sessions = page?.data
  const endOthers = useMutation({
    mutationFn: () => {
      const params = { query: { except: 'current' } } as const
      return unwrap(apiOf(account).DELETE('/me/sessions', { params }))
    },
    async onSuccess() {
      notify(words.endedOthers)
      await client.invalidateQueries({ queryKey: ['sessions', account] })
    },
  })
  return (
    <>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      <ListSearch label={words.search} page={page} cursors={cursors} />
      {!sessions && !error && <Skeleton height={120} />}
      {sessions?.length === 0 && <Text c="dimmed">{words.noneFound}</Text>}
      {sessions !== undefined && sessions.length > 0 && (
        <ul className={classes.list}>
          {sessions.map((session) => (
            <Item key={session.id} account={account} session={session} />
          ))}
        </ul>
      )}
      {page && <Pager page={page} cursors={cursors} />}
      {endOthers.error && <ErrorState error={endOthers.error} />}
      {sessions !== undefined && sessions.some((session) => !session.is_current) && (
        <Group>
          <Button
            variant="default"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate()}
          >
            {words.endOthers}
          </Button>
        </Group>
      )}
    </>
  )
}

function Item({ account, session }: { account: string; session: Session }) {
  const { sessions: words } = useMeWords()
  const client = useQueryClient()
  const { browser, isMobile } = browserName(session.agent)
  const name = browser ?? words.unknown
  const end = useMutation({
    mutationFn: () =>
      unwrap(apiOf(account).DELETE('/me/sessions/{id}', { params: { path: { id: session.id } } })),
    async onSuccess() {
      notify(words.ended)
      await client.invalidateQueries({ queryKey: ['sessions', account] })
    },
  })
  return (
    <li className={classes.item}>
      {isMobile ? (
        <IconDeviceMobile size={20} stroke={1.5} />
      ) : (
        <IconDeviceDesktop size={20} stroke={1.5} />
      )}
      <div className={classes.what}>
        <Text size="sm" fw={500} title={session.agent}>
          <bdi>{name}</bdi>
        </Text>
        <span className={layout.quiet}>
          <bdi>{session.ip}</bdi> · <RelativeTime at={session.last_seen_at} />
        </span>
        {end.error && <ErrorState error={end.error} />}
      </div>
      {session.is_current ? (
        <span className={classes.here}>{words.here}</span>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          loading={end.isPending}
          aria-label={interpolate(words.endOf, { name })}
          onClick={() => end.mutate()}
        >
          {words.end}
        </Button>
      )}
    </li>
  )
}
