import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import { meQuery, useIsOwner } from '../../api/me.ts'
import { membersQuery } from '../../api/team.ts'
import { IconUserPlus } from '../../icons/icons.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { ButtonLink } from '../../parts/links/links.tsx'
import { DataTable, TableSkeleton } from '../../parts/lists/data-table.tsx'
import { ListSearch } from '../../parts/lists/list-search.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { usePageActions } from '../../parts/page-actions.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Invitations } from './invitations.tsx'
import { MemberRow } from './member-row.tsx'
import { useTeamWords } from './words.ts'

const route = getRouteApi('/accounts/$account/team')

/** The members of the account and the open invitations. Its child is the dialog that invites. */
function TeamPage() {
  const words = useTeamWords()
  const { account } = route.useParams()
  const isOwner = useIsOwner(account)
  // How long the list is says where the next section begins.
  const { isPending } = useQuery(membersQuery(account, route.useSearch()))
  const navigate = route.useNavigate()
  const actions = useMemo(() => {
    const icon = <IconUserPlus size={18} stroke={1.75} />
    const run = (): void => void navigate({ to: '/accounts/$account/team/invite' })
    return isOwner ? [{ id: 'invite', label: words.dialog.title, icon, key: 'i', run }] : []
  }, [isOwner, navigate, words])
  usePageActions(actions)
  return (
    <>
      <PageHeader
        title={words.title}
        actions={
          isOwner && (
            <ButtonLink
              to="/accounts/$account/team/invite"
              params={{ account }}
              leftSection={<IconUserPlus size={16} />}
            >
              {words.invite}
            </ButtonLink>
          )
        }
      />
      <Members account={account} />
      {!isPending && <Invitations account={account} />}
      <Outlet />
    </>
  )
}

/** A page of the members, or of those that the search finds. */
function Members({ account }: { account: string }) {
  const { title, columns, search, noneFound } = useTeamWords()
  const cursors = route.useSearch()
  const { data: me } = useQuery(meQuery(account))
  const { data: page, error, refetch } = useQuery(membersQuery(account, cursors))
  const members = page?.data
  const isOwner = useIsOwner(account)
  const headings = [columns.member, columns.role, columns.seen, columns.joined]
  return (
    <>
      <ListSearch label={search} page={page} cursors={cursors} />
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!members && !error && <TableSkeleton rows={3} />}
      {members?.length === 0 && <Text c="dimmed">{noneFound}</Text>}
      {members !== undefined && members.length > 0 && (
        <DataTable label={title} columns={headings} hasActions={isOwner}>
          {members.map((member) => (
            <MemberRow
              key={member.id}
              account={account}
              member={member}
              isMe={member.id === me?.id}
            />
          ))}
        </DataTable>
      )}
      {page && <Pager page={page} cursors={cursors} />}
    </>
  )
}

export const teamRoute = createLazyRoute('/accounts/$account/team')({ component: TeamPage })
