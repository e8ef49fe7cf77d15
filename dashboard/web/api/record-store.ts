import { queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap } from './client.ts'
import type { components } from './schema.ts'

export type RecordStore = components['schemas']['RecordStore']
export type RecordStoreTest = components['schemas']['RecordStoreTest']

/** What is counted changes by itself, each minute. */
const REFRESH_MS = 30_000

/** The learning record store of the account; null if it has none. */
export const recordStoreQuery = (account: string) =>
  queryOptions({
    queryKey: ['record-store', account],
    queryFn: async ({ signal }) =>
      (await unwrap(apiOf(account).GET('/record-store', { signal }))).record_store,
    refetchInterval: REFRESH_MS,
  })

/** What a form says of a record store. An empty password keeps the present one. */
export interface StoreForm {
  url: string
  username: string
  password: string
  home_page: string
  is_active: boolean
}

export const saveRecordStore = (account: string, { password, ...facts }: StoreForm) =>
  unwrap(
    apiOf(account).POST('/record-store', {
      body: { ...facts, url: facts.url.trim(), ...(password !== '' && { password }) },
    }),
  )

export const testRecordStore = (account: string): Promise<RecordStoreTest> =>
  unwrap(apiOf(account).POST('/record-store/test'))

export const removeRecordStore = (account: string) => unwrap(apiOf(account).DELETE('/record-store'))
