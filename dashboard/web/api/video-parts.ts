import { queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap } from './client.ts'
import type { components } from './schema.ts'

type Schemas = components['schemas']
export type Caption = Schemas['Caption']
export type Poster = Schemas['Poster']
export type PosterUpload = Schemas['PosterUpload']
export type Rendition = Schemas['RenditionList']['data'][number]

/** The tickets in the addresses of frames are valid for ten minutes. */
const TICKETS_KEPT_MS = 8 * 60_000

export const captionsQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: ['captions', account, id],
    queryFn: async ({ signal }) => {
      const call = apiOf(account).GET('/v1/videos/{id}/captions', {
        params: { path: { id } },
        signal,
      })
      return (await unwrap(call)).data
    },
  })

/** The text of one caption. */
export const captionQuery = (account: string, id: string, language: string) =>
  queryOptions({
    queryKey: ['captions', account, id, language],
    queryFn: ({ signal }) => {
      const params = { path: { id, language_code: language } }
      return unwrap(
        apiOf(account).GET('/v1/videos/{id}/captions/{language_code}', { params, signal }),
      )
    },
  })

export const renditionsQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: ['renditions', account, id],
    queryFn: async ({ signal }) => {
      const call = apiOf(account).GET('/videos/{id}/renditions', {
        params: { path: { id } },
        signal,
      })
      return (await unwrap(call)).data
    },
  })

/** The poster and the pictures to choose it from. Asked again before the addresses of the pictures expire. */
export const posterQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: ['poster', account, id],
    queryFn: ({ signal }) =>
      unwrap(apiOf(account).GET('/videos/{id}/poster', { params: { path: { id } }, signal })),
    staleTime: TICKETS_KEPT_MS,
    refetchInterval: TICKETS_KEPT_MS,
  })

const UPLOAD_REFRESH_MS = 1_000

/** The state of the uploaded poster; asked again while it moves. */
export const posterUploadQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: ['poster-upload', account, id],
    queryFn: ({ signal }) => {
      const params = { path: { id } }
      return unwrap(apiOf(account).GET('/v1/videos/{id}/poster/upload', { params, signal }))
    },
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? UPLOAD_REFRESH_MS : false),
  })

/** Sends a picture as the poster; resolves to the state of the upload. */
export const uploadPoster = (account: string, id: string, file: File): Promise<PosterUpload> =>
  unwrap(
    apiOf(account).POST('/v1/videos/{id}/poster/upload', {
      params: { path: { id } },
      // The client's types say text for binary bodies.
      body: file as unknown as string,
      bodySerializer: () => file,
      headers: { 'Content-Type': 'application/octet-stream' },
    }),
  )

/** The player settings of the account, which name the default language of captions. */
export const playerSettingsQuery = (account: string) =>
  queryOptions({
    queryKey: ['player-settings', account],
    queryFn: ({ signal }) => unwrap(apiOf(account).GET('/v1/settings/player', { signal })),
    staleTime: 60_000,
  })
