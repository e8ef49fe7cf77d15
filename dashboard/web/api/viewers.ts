import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap, unwrapJson } from './client.ts'
import { cursorsOf, type Cursors } from './cursors.ts'
import type { components } from './schema.ts'
import type { SearchCursors } from './search-cursors.ts'

export type Viewer = components['schemas']['Viewer']
export type ViewerProgress = components['schemas']['ViewerProgress']

const PER_PAGE = 25
/** How many rows a file has. */
const EXPORTED_ROWS = 100
const FRESH_MS = 60_000
const CSV = { headers: { Accept: 'text/csv' }, parseAs: 'text' } as const
const shared = { placeholderData: keepPreviousData, staleTime: FRESH_MS } as const

/** Below the numbers of a video there are fewer. */
const PER_PART = 10

const pageOf = (cursors: Cursors, limit = PER_PAGE) => ({ limit, ...cursorsOf(cursors) })

/** A page of the viewers of the account whose ids begin with a text. */
export const countedViewersQuery = (account: string, { q, ...cursors }: SearchCursors) =>
  queryOptions({
    queryKey: ['counted-viewers', account, { q, ...cursors }],
    queryFn: ({ signal }) => {
      const query = { prefix: q, ...pageOf(cursors) }
      return unwrapJson(apiOf(account).GET('/v1/viewers', { params: { query }, signal }))
    },
    ...shared,
  })

export const countedViewersCsv = (account: string, q: string | undefined) =>
  unwrap(
    apiOf(account).GET('/v1/viewers', {
      params: { query: { prefix: q, limit: EXPORTED_ROWS } },
      ...CSV,
    }),
  )

const ofViewer = (viewer: string) => ({ path: { viewer_id: viewer } })

/** A viewer who has played something that is counted; fails with `viewer_not_found` for others. */
export const viewerQuery = (account: string, viewer: string) =>
  queryOptions({
    queryKey: ['viewer', account, viewer],
    queryFn: ({ signal }) =>
      unwrap(apiOf(account).GET('/v1/viewers/{viewer_id}', { params: ofViewer(viewer), signal })),
    staleTime: FRESH_MS,
  })

/** A page of the videos that a viewer has played. */
export const viewerProgressQuery = (account: string, viewer: string, cursors: Cursors) =>
  queryOptions({
    queryKey: ['viewer-progress', account, viewer, cursors],
    queryFn: ({ signal }) => {
      const params = { ...ofViewer(viewer), query: pageOf(cursors) }
      return unwrapJson(apiOf(account).GET('/v1/viewers/{viewer_id}/progress', { params, signal }))
    },
    ...shared,
  })

export const viewerProgressCsv = (account: string, viewer: string) =>
  unwrap(
    apiOf(account).GET('/v1/viewers/{viewer_id}/progress', {
      params: { ...ofViewer(viewer), query: { limit: EXPORTED_ROWS } },
      ...CSV,
    }),
  )

/** A page of the viewers of a video. */
export const videoViewersQuery = (account: string, video: string, cursors: Cursors) =>
  queryOptions({
    queryKey: ['video-viewers', account, video, cursors],
    queryFn: ({ signal }) => {
      const params = { path: { id: video }, query: pageOf(cursors, PER_PART) }
      return unwrapJson(apiOf(account).GET('/v1/videos/{id}/viewers', { params, signal }))
    },
    ...shared,
  })

export const videoViewersCsv = (account: string, video: string) =>
  unwrap(
    apiOf(account).GET('/v1/videos/{id}/viewers', {
      params: { path: { id: video }, query: { limit: EXPORTED_ROWS } },
      ...CSV,
    }),
  )
