import { queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap } from './client.ts'
import type { components } from './schema.ts'

export type Installation = components['schemas']['Installation']
export type InspectedVideo = components['schemas']['InspectedVideo']

/** How often the page asks while it is visible: a hidden tab does not. */
const REFRESH_MS = 5_000
const DOCTOR_FRESH_MS = 60_000

export const installationQuery = (account: string) =>
  queryOptions({
    queryKey: ['operator', account, 'installation'],
    queryFn: ({ signal }) => unwrap(apiOf(account).GET('/operator/installation', { signal })),
    refetchInterval: REFRESH_MS,
  })

export const doctorQuery = (account: string) =>
  queryOptions({
    queryKey: ['operator', account, 'doctor'],
    queryFn: ({ signal }) => unwrap(apiOf(account).GET('/operator/doctor', { signal })),
    staleTime: DOCTOR_FRESH_MS,
    refetchInterval: DOCTOR_FRESH_MS,
  })

/** A video of any account; asked for again while it moves. */
export const inspectedVideoQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: ['operator', account, 'video', id],
    queryFn: ({ signal }) =>
      unwrap(apiOf(account).GET('/operator/videos/{id}', { signal, params: { path: { id } } })),
    refetchInterval: ({ state: { data } }) => (data && data.progress !== null ? REFRESH_MS : false),
  })

export const retryVideo = (account: string, id: string) =>
  unwrap(apiOf(account).POST('/operator/videos/{id}/retry', { params: { path: { id } } }))
