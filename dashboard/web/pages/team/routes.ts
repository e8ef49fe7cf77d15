import { createRoute } from '@tanstack/react-router'
import { searchCursorsIn } from '../../api/search-cursors.ts'
import { invitationsQuery, membersQuery } from '../../api/team.ts'
import { accountRoute } from '../../routes.ts'

const team = createRoute({
  getParentRoute: () => accountRoute,
  path: 'team',
  validateSearch: searchCursorsIn,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { account }, deps }) => {
    void queryClient.prefetchQuery(membersQuery(account, deps))
    void queryClient.prefetchQuery(invitationsQuery(account))
  },
}).lazy(async () => (await import('./team-page.tsx')).teamRoute)

const invite = createRoute({
  getParentRoute: () => team,
  path: 'invite',
}).lazy(async () => (await import('./invite-dialog.tsx')).inviteRoute)

export const teamRoutes = [team.addChildren([invite])] as const
