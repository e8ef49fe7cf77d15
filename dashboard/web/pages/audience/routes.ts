import { createRoute, redirect } from '@tanstack/react-router'
import { audienceQuery, daysOf, rangeIn } from '../../api/audience.ts'
import { cursorsIn, textIn, type Cursors } from '../../api/cursors.ts'
import { searchCursorsIn } from '../../api/search-cursors.ts'
import { countedViewersQuery, viewerQuery } from '../../api/viewers.ts'
import { accountRoute } from '../../routes.ts'
import { metricIn, orderIn } from './search.ts'

const audience = createRoute({
  getParentRoute: () => accountRoute,
  path: 'audience',
}).lazy(async () => (await import('./audience-frame.tsx')).frameRoute)

const overview = createRoute({
  getParentRoute: () => audience,
  path: '/',
  validateSearch: (search: Record<string, unknown>) => ({
    ...rangeIn(search),
    ...metricIn(search),
    ...orderIn(search),
  }),
  loaderDeps: ({ search }) => rangeIn({ ...search }),
  loader: ({ context: { queryClient }, params: { account }, deps }) => {
    void queryClient.prefetchQuery(audienceQuery(account, daysOf(deps)))
  },
}).lazy(async () => (await import('./audience-page.tsx')).audienceRoute)

const viewers = createRoute({
  getParentRoute: () => audience,
  path: 'viewers',
  validateSearch: searchCursorsIn,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { account }, deps }) => {
    void queryClient.prefetchQuery(countedViewersQuery(account, deps))
  },
}).lazy(async () => (await import('./viewers/viewers-page.tsx')).viewersRoute)

/**
 * A viewer has a page of its own, whose id is the heading. The id is no part of the path: browsers take `.` and `..`
 * for folders, also when they are escaped.
 */
const viewer = createRoute({
  getParentRoute: () => accountRoute,
  path: 'audience/viewer',
  validateSearch: (search: Record<string, unknown>): Cursors & { id: string } => ({
    ...cursorsIn(search),
    id: textIn(search.id) ?? '',
  }),
  beforeLoad: ({ params, search: { id } }) => {
    if (id === '')
      throw redirect({ to: '/accounts/$account/audience/viewers', params, replace: true })
  },
  loaderDeps: ({ search: { id } }) => ({ id }),
  loader: ({ context: { queryClient }, params: { account }, deps: { id }, cause }) => {
    // Not for each row that the pointer passes.
    if (cause !== 'preload') void queryClient.prefetchQuery(viewerQuery(account, id))
  },
}).lazy(async () => (await import('./viewer-page.tsx')).viewerRoute)

export const audienceRoutes = [audience.addChildren([overview, viewers]), viewer] as const
