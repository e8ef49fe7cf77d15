import {
  createRootRoute,
  createRoute,
  createRouter,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import { videosFilter } from './api/videos.ts'
import { FailedPage, MissingPage } from './shell/failed-page.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ notFoundComponent: MissingPage })

const account = createRoute({
  getParentRoute: () => root,
  path: '/accounts/$account',
  component: Shell,
})

const home = createRoute({
  getParentRoute: () => account,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/accounts/$account/videos', params, replace: true })
  },
})

const videos = createRoute({
  getParentRoute: () => account,
  path: 'videos',
  validateSearch: videosFilter,
}).lazy(async () => (await import('./pages/videos/videos-page.tsx')).videosRoute)

const addVideo = createRoute({
  getParentRoute: () => videos,
  path: 'add',
}).lazy(async () => (await import('./pages/videos/add-video.tsx')).addVideoRoute)

const video = createRoute({
  getParentRoute: () => account,
  path: 'videos/$video',
}).lazy(async () => (await import('./pages/videos/video-page.tsx')).videoRoute)

/** All pages; each is a module that is loaded when it is first opened. */
export const router = createRouter({
  routeTree: root.addChildren([account.addChildren([home, videos.addChildren([addVideo]), video])]),
  defaultPreload: 'intent',
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: MissingPage,
  scrollRestoration: true,
  // As in any address: every value is text.
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(String),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
