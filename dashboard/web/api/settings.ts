import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { PlayerSettings, SettingsChange } from '../../../domain/settings/player-settings.ts'
import type { PreviewLook } from '../../../domain/settings/preview-look.ts'
import { apiOf, unwrap } from './client.ts'
import type { components } from './schema.ts'
import { outcomeOf, type SaveOutcome } from './stale.ts'

export type DomainTest = components['schemas']['DomainTest']
export type RefusedHost = components['schemas']['RecentHostTest']['refused'][number]
export type SigningSecret = components['schemas']['SigningSecret']

const SHOWN_SECRET_REFRESH_MS = 10_000

/** Settings with the version that a change names. */
export interface OpenedSettings {
  settings: PlayerSettings
  version: number
}

const openedOf = ({
  object: _object,
  version,
  ...settings
}: components['schemas']['Settings']): OpenedSettings => ({ settings, version })

export const settingsQuery = (account: string) =>
  queryOptions({
    queryKey: ['settings', account],
    queryFn: async ({ signal }) =>
      openedOf(await unwrap(apiOf(account).GET('/settings', { signal }))),
  })

/** Saves a change that starts from `version`. Throws a Problem if it is refused for another reason. */
export async function saveSettings(
  account: string,
  version: number,
  change: SettingsChange,
): Promise<SaveOutcome<OpenedSettings>> {
  const call = apiOf(account).PATCH('/settings', { body: { version, ...change } })
  const { kind, current } = await outcomeOf(call)
  return { kind, current: openedOf(current) }
}

/** The address of the real player with an unsaved look. Each one carries a token of its own, so none is kept. */
export const previewQuery = (account: string, videoId: string | undefined, look: PreviewLook) =>
  queryOptions({
    queryKey: ['preview', account, videoId, look],
    queryFn: async ({ signal }) => {
      const body = { video_id: videoId, settings: look }
      return (await unwrap(apiOf(account).POST('/preview-tickets', { body, signal }))).embed_url
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
  })

type DomainRules = Pick<PlayerSettings, 'allowed_domains' | 'blocked_domains'>

/** Whether a page may embed the videos by the given rules. */
export const testDomain = (
  account: string,
  host: string,
  { allowed_domains, blocked_domains }: DomainRules,
): Promise<DomainTest> =>
  unwrap(
    apiOf(account).POST('/domain-test', {
      body: { host, settings: { allowed_domains, blocked_domains } },
    }),
  )

/** The hosts of the last day that a change would refuse, without those that the saved rules refuse. */
export async function newlyRefusedHosts(
  account: string,
  { allowed_domains, blocked_domains, direct_play }: SettingsChange,
): Promise<RefusedHost[]> {
  const test = async (settings: SettingsChange) =>
    (await unwrap(apiOf(account).POST('/domain-test/recent-hosts', { body: { settings } }))).refused
  const [before, after] = await Promise.all([
    test({}),
    test({ allowed_domains, blocked_domains, direct_play }),
  ])
  const known = new Set(before.map(({ host }) => host))
  return after.filter(({ host }) => !known.has(host))
}

/** How many plays of the last day had no valid viewer token. */
export const countPlaysWithoutToken = async (account: string): Promise<number> =>
  (await unwrap(apiOf(account).GET('/settings/plays-without-token'))).play_count

export const revealSecret = (account: string): Promise<SigningSecret> =>
  unwrap(apiOf(account).POST('/signing-secret/reveal'))

export const rotateSecret = (account: string, accountName: string): Promise<SigningSecret> =>
  unwrap(apiOf(account).POST('/signing-secret/rotate', { body: { account_name: accountName } }))

/** Which signing secret is the current one: another member, or another tab, may replace the one that is shown. */
export const secretVersionQuery = (account: string) =>
  queryOptions({
    queryKey: ['signing-secret-version', account],
    queryFn: async ({ signal }) =>
      (await unwrap(apiOf(account).GET('/signing-secret', { signal }))).version,
    gcTime: 0,
    staleTime: 0,
    refetchInterval: SHOWN_SECRET_REFRESH_MS,
  })

/** How many viewers watch now, at most 100. */
export const playingCountQuery = (account: string) =>
  queryOptions({
    queryKey: ['playing', account, 'count'],
    queryFn: async ({ signal }) =>
      (await unwrap(apiOf(account).GET('/playing', { signal }))).data.length,
  })

/** How the videos of the account are encrypted. */
export const protectionQuery = (account: string) =>
  queryOptions({
    queryKey: ['protection', account],
    queryFn: async ({ signal }) =>
      (await unwrap(apiOf(account).GET('/v1/plan', { signal }))).protection,
    staleTime: 60_000,
  })
