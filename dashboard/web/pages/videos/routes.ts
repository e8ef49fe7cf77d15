import { createRoute } from '@tanstack/react-router'
import { videosFilter } from '../../api/videos.ts'
import { accountRoute } from '../../routes.ts'

const videos = createRoute({
  getParentRoute: () => accountRoute,
  path: 'videos',
  validateSearch: videosFilter,
}).lazy(async () => (await import('./videos-page.tsx')).videosRoute)

const addVideo = createRoute({
  getParentRoute: () => videos,
  path: 'add',
}).lazy(async () => (await import('./add-video.tsx')).addVideoRoute)

const video = createRoute({
  getParentRoute: () => accountRoute,
  path: 'videos/$video',
}).lazy(async () => (await import('./video-page.tsx')).videoRoute)

export const videosRoutes = [videos.addChildren([addVideo]), video] as const
