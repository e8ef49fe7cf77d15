import { createRoute } from '@tanstack/react-router'
import { audienceQuery, daysOf } from '../../api/audience.ts'
import { accountRoute } from '../../routes.ts'
import { WEEK } from './numbers.tsx'
import { OverviewPage } from './overview-page.tsx'

/** The first page after the sign-in: it is part of the first file, so that it does not wait for another one. */
const overview = createRoute({
  getParentRoute: () => accountRoute,
  path: '/',
  loader: ({ context: { queryClient }, params: { account } }) => {
    void queryClient.prefetchQuery(audienceQuery(account, daysOf(WEEK)))
  },
  component: OverviewPage,
})

export const overviewRoutes = [overview] as const
