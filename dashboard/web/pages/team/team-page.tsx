import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import { meQuery, useIsOwner } from '../../api/me.ts'
import { membersQuery } from '../../api/team.ts'
import { IconUserPlus } from '../../icons/icons.tsx'
import { DataTable, TableSkeleton } from '../../parts/data-table.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { usePageActions } from '../../parts/page-actions.ts'
import { Invitations } from './invitations.tsx'
import { MemberRow } from './member-row.tsx'
import { useTeamWords } from './words.ts'

const route = getRouteApi('/accounts/$account/team')

/** The members of the account and the open invitations. Its child is the dialog that invites. */
function TeamPage() {
  const words = useTeamWords()
  const { account } = route.useParams()
  const isOwner = useIsOwner(account)
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
      <Invitations account={account} />
      <Outlet />
    </>
  )
}

function Members({ account }: { account: string }) {
  const { title, columns } = useTeamWords()
  const { data: me } = useQuery(meQuery(account))
  const { data: members, error, refetch } = useQuery(membersQuery(account))
  const isOwner = useIsOwner(account)
  const headings = [columns.member, columns.role, columns.seen, columns.joined]
  return (
    <>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!members && !error && <TableSkeleton rows={3} />}
      {members && (
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
    </>
  )
}

export const teamRoute = createLazyRoute('/accounts/$account/team')({ component: TeamPage })
