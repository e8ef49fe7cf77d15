import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { isFinal } from '../../../domain/videos/video-state.ts'
import { apiOf, unwrap } from './client.ts'
import type { components } from './schema.ts'
import {
  NO_FOLDER,
  toSearchQuery,
  type VideosFilter,
  type VideosMatch,
} from './video-search/filter.ts'

export type Video = components['schemas']['Video']
/** A page of the list, with the number of all matches. */
export type VideosPage = components['schemas']['SearchedVideos']
export type Folder = Pick<components['schemas']['Folder'], 'id' | 'name' | 'video_count'>
export type VideoProgress = components['schemas']['VideoProgress']
export type VideoStep = VideoProgress['steps'][number]

const PAGE_LENGTH = 25
const LIST_REFRESH_MS = 30_000
const PROGRESS_REFRESH_MS = 2_000
const PROGRESS_PAUSE_MS = 10_000

/** A page of videos, with the number of matches. Days of the filter are those of the time zone. Other members add videos too, so it refreshes. */
export const videosQuery = (
  account: string,
  { after, before, ...match }: VideosFilter,
  timeZone = 'UTC',
) =>
  queryOptions({
    queryKey: ['videos', account, { ...match, after, before }, timeZone],
    queryFn: ({ signal }) => {
      const page = { limit: PAGE_LENGTH, starting_after: after, ending_before: before }
      return listVideos(account, toSearchQuery(match, timeZone), page, signal)
    },
    placeholderData: keepPreviousData,
    refetchInterval: LIST_REFRESH_MS,
  })

interface VideosPageRequest {
  limit: number
  starting_after?: string
  ending_before?: string
}

function listVideos(
  account: string,
  match: ReturnType<typeof toSearchQuery>,
  page: VideosPageRequest,
  signal: AbortSignal,
): Promise<VideosPage> {
  const query = { ...match, ...page }
  return unwrap(apiOf(account).GET('/videos', { params: { query }, signal }))
}

/** How many videos are in no folder. Each folder counts its own. */
export const looseVideosQuery = (account: string) =>
  queryOptions({
    queryKey: ['videos', account, 'loose'],
    queryFn: async ({ signal }) =>
      (await listVideos(account, { folder_id: NO_FOLDER }, { limit: 1 }, signal)).total ?? 0,
  })

/** The videos before and after one in the list, also if it no longer matches. */
export const videoNeighboursQuery = (
  account: string,
  id: string,
  match: VideosMatch,
  timeZone: string,
) =>
  queryOptions({
    queryKey: ['videos', account, 'neighbours', id, match, timeZone],
    queryFn: async ({ signal }) => {
      const query = toSearchQuery(match, timeZone)
      const [before, after] = await Promise.all([
        listVideos(account, query, { limit: 1, ending_before: id }, signal),
        listVideos(account, query, { limit: 1, starting_after: id }, signal),
      ])
      return { previous: before.data[0]?.id ?? null, next: after.data[0]?.id ?? null }
    },
  })

export const videoQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: ['video', account, id],
    queryFn: ({ signal }) =>
      unwrap(apiOf(account).GET('/v1/videos/{id}', { params: { path: { id } }, signal })),
  })

export const foldersQuery = (account: string) =>
  queryOptions({
    queryKey: ['folders', account],
    queryFn: ({ signal }) => allFolders(account, signal),
    staleTime: 60_000,
  })

/** Loads again what shows videos, after some were moved or changed. */
export async function refreshVideos(client: QueryClient, account: string): Promise<void> {
  const keys = ['videos', 'folders', 'video'].map((name) => [name, account])
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** An account has at most ten pages of folders. */
async function allFolders(account: string, signal: AbortSignal): Promise<Folder[]> {
  const folders: Folder[] = []
  for (;;) {
    const query = { limit: 100, starting_after: folders.at(-1)?.id }
    const call = apiOf(account).GET('/v1/folders', { params: { query }, signal })
    const page = await unwrap(call)
    folders.push(...page.data)
    if (!page.has_more || page.data.length === 0) break
  }
  return folders.toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Where a video was embedded and how often it was played, in the last seven days. */
export const embeddingQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: ['embedding', account, id],
    queryFn: ({ signal }) => {
      const params = { path: { id } }
      return unwrap(apiOf(account).GET('/videos/{id}/where-embedded', { params, signal }))
    },
  })

/** Asks while a video moves; the browser's hidden tabs ask nothing. */
export const progressQuery = (account: string, ids: string[]) =>
  queryOptions({
    queryKey: ['progress', account, ids],
    queryFn: async ({ signal }) => {
      const params = { query: { ids: ids.join(',') } }
      return (await unwrap(apiOf(account).GET('/progress', { params, signal }))).data
    },
    enabled: ids.length > 0,
    retry: false,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.status === 'error' ? PROGRESS_PAUSE_MS : PROGRESS_REFRESH_MS,
  })

/** The videos whose ingest has not ended. */
export const movingVideos = <One extends Pick<Video, 'status'>>(videos: readonly One[]): One[] =>
  videos.filter(({ status }) => !isFinal(status))
