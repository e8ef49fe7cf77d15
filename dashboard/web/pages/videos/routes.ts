import { createRoute } from '@tanstack/react-router'
import { rangeIn } from '../../api/audience.ts'
import { cursorsIn } from '../../api/cursors.ts'
import { settingsQuery } from '../../api/settings.ts'
import { videosFilter, videosMatch } from '../../api/video-search/filter.ts'
import { foldersQuery, videoQuery, videosQuery } from '../../api/videos.ts'
import { accountRoute } from '../../routes.ts'
import { chosenZone } from '../../shell/time-zone.tsx'
import { metricIn } from '../audience/search.ts'

const videos = createRoute({
  getParentRoute: () => accountRoute,
  path: 'videos',
  validateSearch: videosFilter,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { account }, deps }) => {
    void queryClient.prefetchQuery(videosQuery(account, deps, chosenZone()))
    void queryClient.prefetchQuery(foldersQuery(account))
  },
}).lazy(async () => (await import('./videos-page.tsx')).videosRoute)

const addVideo = createRoute({
  getParentRoute: () => videos,
  path: 'add',
}).lazy(async () => (await import('./add/add-video.tsx')).addVideoRoute)

const folders = createRoute({
  getParentRoute: () => videos,
  path: 'folders',
}).lazy(async () => (await import('./folders/folders-dialog.tsx')).foldersRoute)

const video = createRoute({
  getParentRoute: () => accountRoute,
  path: 'videos/$video',
  // The list that led here, so that its next video can be opened.
  validateSearch: videosMatch,
  loader: ({ context: { queryClient }, params: { account, video: id }, cause }) => {
    // Not for each row that the pointer passes: one may just have been deleted.
    if (cause !== 'preload') void queryClient.prefetchQuery(videoQuery(account, id))
    void queryClient.prefetchQuery(settingsQuery(account))
    void queryClient.prefetchQuery(foldersQuery(account))
  },
}).lazy(async () => (await import('./video-page.tsx')).videoRoute)

const getParentRoute = () => video

const overview = createRoute({
  getParentRoute,
  path: '/',
  validateSearch: ({ edit }): { edit?: '1' } =>
    // The router reads a number.
    String(edit) === '1' ? { edit: '1' } : {},
}).lazy(async () => (await import('./video/overview-tab.tsx')).overviewRoute)

const audience = createRoute({
  getParentRoute,
  path: 'audience',
  validateSearch: (search: Record<string, unknown>) => ({
    ...rangeIn(search),
    ...metricIn(search),
    ...cursorsIn(search),
  }),
}).lazy(async () => (await import('./audience/audience-tab.tsx')).audienceRoute)

const captions = createRoute({
  getParentRoute,
  path: 'captions',
  validateSearch: ({ open }): { open?: string } => (typeof open === 'string' ? { open } : {}),
}).lazy(async () => (await import('./captions/captions-tab.tsx')).captionsRoute)

const chapters = createRoute({ getParentRoute, path: 'chapters' }).lazy(
  async () => (await import('./marks/marks-tab.tsx')).chaptersRoute,
)

const moments = createRoute({ getParentRoute, path: 'moments' }).lazy(
  async () => (await import('./marks/marks-tab.tsx')).momentsRoute,
)

const poster = createRoute({ getParentRoute, path: 'poster' }).lazy(
  async () => (await import('./poster/poster-tab.tsx')).posterRoute,
)

const renditions = createRoute({ getParentRoute, path: 'renditions' }).lazy(
  async () => (await import('./video/renditions-tab.tsx')).renditionsRoute,
)

const embed = createRoute({
  getParentRoute,
  path: 'embed',
  validateSearch: ({ form, language }): { form?: string; language?: string } => ({
    ...(typeof form === 'string' && { form }),
    ...(typeof language === 'string' && { language }),
  }),
}).lazy(async () => (await import('./embed/embed-tab.tsx')).embedRoute)

export const videosRoutes = [
  videos.addChildren([addVideo, folders]),
  video.addChildren([overview, audience, captions, chapters, moments, poster, embed, renditions]),
] as const
