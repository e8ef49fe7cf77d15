import { describe, expect, it } from '@jest/globals'
import { decideEmbedAccess, frameAncestors, parseEmbedPath } from './embed-access.ts'
import type { EmbedFacts } from './embed-access.ts'
import { DEFAULT_PLAYER_SETTINGS } from './player-settings.ts'
import type { PlayerSettings } from './player-settings.ts'

const VIDEO = 'a1b2c3d4e5f6a7b8c9d0'
const settings = (changes: Partial<PlayerSettings> = {}): PlayerSettings => ({
  ...DEFAULT_PLAYER_SETTINGS,
  ...changes,
})
const enforced = settings({
  watermark: { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true },
})
const video = { accountId: 7, status: 'ready', protection: 'clearkey', isDeleted: false } as const
const base: EmbedFacts = {
  path: { videoId: VIDEO, accountId: 7 },
  video,
  settings: settings(),
  serviceDomains: ['service.example', '*.service.example'],
  directPlayHost: 'watch.example',
  siteHost: 'site.example',
  token: { ok: false, reason: 'missing' },
  browser: { platform: 'windows', browser: 'other' },
}
const decide = (changes: Partial<EmbedFacts>) => decideEmbedAccess({ ...base, ...changes })

describe('an embed path', () => {
  it.each([
    [VIDEO, 'Nw==', 7],
    [VIDEO, 'Nw', 7],
    [VIDEO, 'MTIzNDU=', 12345],
  ])('%s/%s names account %d', (videoId, account, accountId) =>
    expect(parseEmbedPath(videoId, account)).toEqual({ videoId, accountId }),
  )

  it.each([
    ['short', 'Nw=='],
    [VIDEO.toUpperCase(), 'Nw=='],
    [`${VIDEO}0`, 'Nw=='],
    ['g'.repeat(20), 'Nw=='],
    [VIDEO, ''],
    [VIDEO, '7'],
    [VIDEO, 'N!=='],
    [VIDEO, btoa('seven')],
    [VIDEO, btoa('-7')],
    [VIDEO, btoa('0')],
    [VIDEO, btoa('7.5')],
    [VIDEO, btoa('07')],
    [VIDEO, btoa('9'.repeat(16))],
    ['../../etc/passwd', 'Nw=='],
  ])('%s/%s is malformed', (videoId, account) =>
    expect(parseEmbedPath(videoId, account)).toBeNull(),
  )
})

describe('the embed decides in the order of the contract', () => {
  it.each<[string, Partial<EmbedFacts>, string]>([
    ['a malformed path before all', { path: null, video: null, siteHost: null }, 'malformed_path'],
    ['an unknown video before the Referer', { video: null, siteHost: null }, 'not_found'],
    ['a video of another account', { video: { ...video, accountId: 8 } }, 'not_found'],
    [
      'a foreign deleted video as if it had never been',
      { video: { ...video, accountId: 8, isDeleted: true } },
      'not_found',
    ],
    ['a deleted video', { video: { ...video, isDeleted: true }, siteHost: null }, 'deleted'],
    [
      'a missing Referer before the token',
      { siteHost: null, settings: enforced },
      'referer_missing',
    ],
    [
      'a blocked domain before the token',
      { settings: { ...enforced, blocked_domains: ['site.example'] } },
      'domain_blocked',
    ],
    [
      'the token before the state',
      { settings: enforced, video: { ...video, status: 'failed' } },
      'token_refused',
    ],
    [
      'the token before App-Only',
      {
        settings: { ...enforced, app_only_l3: true },
        video: { ...video, protection: 'multi-drm' },
      },
      'token_refused',
    ],
    [
      'App-Only before the state',
      {
        settings: settings({ app_only_l3: true }),
        video: { ...video, protection: 'multi-drm', status: 'queued' },
      },
      'app_only',
    ],
    ['a failed video', { video: { ...video, status: 'failed' } }, 'failed'],
    ['a queued video', { video: { ...video, status: 'queued' } }, 'waiting'],
    ['a video in processing', { video: { ...video, status: 'processing' } }, 'waiting'],
    ['a playable video', { video: { ...video, status: 'playable' } }, 'play'],
    ['a ready video', {}, 'play'],
  ])('%s', (_name, changes, kind) => expect(decide(changes).kind).toBe(kind))
})

describe('domain rules', () => {
  const verdict = (siteHost: string | null, changes: Partial<PlayerSettings>) =>
    decide({ siteHost, settings: settings(changes) }).kind
  const listed = { allowed_domains: ['site.example', '*.sub.example'] }

  it.each<[string, string | null, Partial<PlayerSettings>, string]>([
    ['an empty allowed list lets every site embed', 'any.example', {}, 'play'],
    ['no Referer is refused even then', null, {}, 'referer_missing'],
    ['a listed domain works', 'site.example', listed, 'play'],
    ['an exact entry matches only itself', 'www.site.example', listed, 'domain_not_allowed'],
    ['a subdomain of a wildcard works', 'a.b.sub.example', listed, 'play'],
    ['the bare domain of a wildcard does not', 'sub.example', listed, 'domain_not_allowed'],
    ['other domains do not', 'other.example', listed, 'domain_not_allowed'],
    ['service domains work', 'service.example', listed, 'play'],
    ['and their subdomains, where so listed', 'x.service.example', listed, 'play'],
    [
      'the direct-play host is not let in while Direct Play is off',
      'watch.example',
      listed,
      'domain_not_allowed',
    ],
    ['it is while it is on', 'watch.example', { ...listed, direct_play: true }, 'play'],
    [
      'blocked comes before allowed',
      'site.example',
      { ...listed, blocked_domains: ['SITE.example.'] },
      'domain_blocked',
    ],
    [
      'blocked comes before the service domains',
      'service.example',
      { blocked_domains: ['service.example'] },
      'domain_blocked',
    ],
    [
      'a blocked wildcard spares the bare domain',
      'site.example',
      { blocked_domains: ['*.site.example'] },
      'play',
    ],
    [
      'a list of nothing but unusable entries lets nobody in',
      'site.example',
      { allowed_domains: ['*'] },
      'domain_not_allowed',
    ],
  ])('%s', (_name, host, changes, kind) => expect(verdict(host, changes)).toBe(kind))

  it('names the domain that was seen', () =>
    expect(decide({ siteHost: 'x.example', settings: settings(listed) })).toEqual({
      kind: 'domain_not_allowed',
      host: 'x.example',
    }))
})

describe('enforcement', () => {
  it.each(['missing', 'expired', 'forged'] as const)('refuses a token that is %s', (reason) =>
    expect(decide({ settings: enforced, token: { ok: false, reason } })).toEqual({
      kind: 'token_refused',
      reason,
    }),
  )

  it('plays a valid token with its verified viewer id', () =>
    expect(decide({ settings: enforced, token: { ok: true, viewerId: 'v-1' } })).toEqual({
      kind: 'play',
      viewerId: 'v-1',
    }))

  it('needs both watermark.enabled and watermark.required', () => {
    for (const [enabled, required] of [
      [true, false],
      [false, true],
    ] as const) {
      const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled, required }
      expect(decide({ settings: settings({ watermark }) })).toEqual({
        kind: 'play',
        viewerId: null,
      })
    }
  })

  it('is off: a token that does not count plays without an identity', () =>
    expect(decide({ token: { ok: false, reason: 'forged' } })).toEqual({
      kind: 'play',
      viewerId: null,
    }))
})

describe('App-Only', () => {
  const appOnly = settings({ app_only_l3: true })
  const drm = { ...video, protection: 'multi-drm' } as const

  it('refuses browsers without hardware DRM on Multi-DRM plans', () =>
    expect(decide({ settings: appOnly, video: drm })).toEqual({
      kind: 'app_only',
      advice: 'open_edge',
    }))

  it('plays those with it', () =>
    expect(
      decide({
        settings: appOnly,
        video: drm,
        browser: { platform: 'windows', browser: 'edge' },
      }).kind,
    ).toBe('play'))

  it('is a setting of Multi-DRM plans alone', () =>
    expect(decide({ settings: appOnly }).kind).toBe('play'))
})

describe('frame-ancestors follow the domain rules', () => {
  const policy = (changes: Partial<PlayerSettings>) =>
    frameAncestors({ ...base, settings: settings(changes) })

  it('are open while the allowed list is empty', () =>
    expect(policy({ blocked_domains: ['x.example'] })).toBeNull())

  it('list the allowed, the service and the direct-play hosts', () =>
    expect(policy({ allowed_domains: ['*.A.example:80', '*'], direct_play: true })).toEqual([
      { host: 'a.example', isWildcard: true },
      { host: 'service.example', isWildcard: false },
      { host: 'service.example', isWildcard: true },
      { host: 'watch.example', isWildcard: false },
    ]))

  it('are open where an entry is an address that CSP cannot name', () => {
    expect(policy({ allowed_domains: ['192.0.2.1'] })).toBeNull()
    expect(policy({ allowed_domains: ['[::1]'] })).toBeNull()
    expect(policy({ allowed_domains: ['127.0.0.1'] })).not.toBeNull()
  })
})
