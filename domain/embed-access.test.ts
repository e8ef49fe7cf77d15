import { describe, expect, it } from '@jest/globals'
import { decideEmbed, frameAncestors } from './embed-access.ts'
import type { EmbedRequest } from './embed-access.ts'
import { DEFAULT_PLAYER_SETTINGS } from './player-settings.ts'
import type { PlayerSettings } from './player-settings.ts'

const settings = (changes: Partial<PlayerSettings> = {}): PlayerSettings => ({
  ...DEFAULT_PLAYER_SETTINGS,
  ...changes,
})
const enforced = settings({
  watermark: { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true },
})
const base: EmbedRequest = {
  referrer: 'https://site.example/page',
  settings: settings(),
  protection: 'clearkey',
  serviceDomains: ['service.example', '*.service.example'],
  directPlayHost: 'watch.example',
  token: 'missing',
  browser: 'windows-other',
  status: 'ready',
}
const decide = (changes: Partial<EmbedRequest>) => decideEmbed({ ...base, ...changes })
const listed = { allowed_domains: ['site.example', '*.sub.example'] }

describe('the embed decides in the order of the contract', () => {
  it.each<[string, Partial<EmbedRequest>, unknown]>([
    [
      'a missing Referer before the token',
      { referrer: null, settings: enforced },
      { kind: 'refused', reason: 'no_referrer' },
    ],
    [
      'a blocked domain before the token',
      { settings: { ...enforced, blocked_domains: ['site.example'] } },
      { kind: 'refused', reason: 'domain_blocked' },
    ],
    [
      'the token before the state',
      { settings: enforced, status: 'failed' },
      { kind: 'token_required', reason: 'missing' },
    ],
    [
      'the token before App-Only',
      { settings: { ...enforced, app_only_l3: true }, protection: 'multi-drm' },
      { kind: 'token_required', reason: 'missing' },
    ],
    [
      'App-Only before the state',
      { settings: settings({ app_only_l3: true }), protection: 'multi-drm', status: 'queued' },
      { kind: 'app_only', verdict: 'open_edge' },
    ],
    ['a failed video', { status: 'failed' }, { kind: 'failed' }],
    ['a queued video', { status: 'queued' }, { kind: 'wait' }],
    ['a video in processing', { status: 'processing' }, { kind: 'wait' }],
    ['a playable video', { status: 'playable' }, { kind: 'play' }],
    ['a ready video', {}, { kind: 'play' }],
  ])('%s', (_name, changes, decision) => expect(decide(changes)).toEqual(decision))
})

describe('domain rules', () => {
  const verdict = (referrer: string | null, changes: Partial<PlayerSettings>): string => {
    const decision = decide({ referrer, settings: settings(changes) })
    return decision.kind === 'refused' ? decision.reason : decision.kind
  }

  it.each<[string, string | null, Partial<PlayerSettings>, string]>([
    ['an empty allowed list lets every site embed', 'https://any.example', {}, 'play'],
    ['no Referer is refused even then', null, {}, 'no_referrer'],
    ['an opaque Origin is none', 'null', {}, 'no_referrer'],
    ['a listed domain works', 'https://site.example/', listed, 'play'],
    ['on any port', 'http://site.example:3000/', listed, 'play'],
    [
      'an exact entry matches only itself',
      'https://www.site.example/',
      listed,
      'domain_not_allowed',
    ],
    ['a subdomain of a wildcard works', 'https://a.b.sub.example/', listed, 'play'],
    [
      'the bare domain of a wildcard does not',
      'https://sub.example/',
      listed,
      'domain_not_allowed',
    ],
    ['other domains do not', 'https://other.example/', listed, 'domain_not_allowed'],
    [
      'nor does a path that names one',
      'https://x.example/site.example',
      listed,
      'domain_not_allowed',
    ],
    ['service domains work', 'https://service.example/', listed, 'play'],
    ['and their subdomains, where so listed', 'https://x.service.example/', listed, 'play'],
    [
      'the direct-play host is not let in while Direct Play is off',
      'https://watch.example/',
      listed,
      'domain_not_allowed',
    ],
    ['it is while it is on', 'https://watch.example/', { ...listed, direct_play: true }, 'play'],
    [
      'blocked comes before allowed',
      'https://site.example/',
      { ...listed, blocked_domains: ['SITE.example.'] },
      'domain_blocked',
    ],
    [
      'blocked comes before the service domains',
      'https://service.example/',
      { blocked_domains: ['service.example'] },
      'domain_blocked',
    ],
    [
      'a blocked wildcard spares the bare domain',
      'https://site.example/',
      { blocked_domains: ['*.site.example'] },
      'play',
    ],
    [
      'a list of nothing but unusable entries lets nobody in',
      'https://site.example/',
      { allowed_domains: ['*'] },
      'domain_not_allowed',
    ],
  ])('%s', (_name, referrer, changes, kind) => expect(verdict(referrer, changes)).toBe(kind))
})

describe('enforcement', () => {
  it.each([
    ['missing', 'missing'],
    ['expired', 'expired'],
    ['forged', 'forged'],
    ['malformed', 'forged'],
  ] as const)('refuses a token that is %s as %s', (token, reason) =>
    expect(decide({ settings: enforced, token })).toEqual({ kind: 'token_required', reason }),
  )

  it('plays a valid token', () =>
    expect(decide({ settings: enforced, token: 'valid' })).toEqual({ kind: 'play' }))

  it.each([
    [true, false],
    [false, true],
    [false, false],
  ])('is off with enabled %p and required %p: no token is needed', (enabled, required) => {
    const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled, required }
    for (const token of ['missing', 'expired', 'forged'] as const)
      expect(decide({ settings: settings({ watermark }), token })).toEqual({ kind: 'play' })
  })
})

describe('App-Only', () => {
  const appOnly = { settings: settings({ app_only_l3: true }), protection: 'multi-drm' } as const

  it.each([
    ['windows-edge', 'play'],
    ['apple-safari', 'play'],
    ['android', 'app_only'],
    ['windows-other', 'app_only'],
    ['apple-other', 'app_only'],
    ['other', 'app_only'],
  ] as const)('for %s gives %s', (browser, kind) =>
    expect(decide({ ...appOnly, browser }).kind).toBe(kind),
  )

  it('is a setting of Multi-DRM plans alone', () =>
    expect(decide({ ...appOnly, protection: 'clearkey' })).toEqual({ kind: 'play' }))
})

describe('frame-ancestors follow the domain rules', () => {
  const sources = (changes: Partial<PlayerSettings>, directPlayHost: string | null = null) =>
    frameAncestors(settings(changes), ['service.example'], directPlayHost)

  it('are open while the allowed list is empty', () =>
    expect(sources({ blocked_domains: ['x.example'] })).toEqual(['*']))

  it('list the allowed, the service and, while it is on, the direct-play hosts', () => {
    const service = ['https://service.example:*', 'http://service.example:*']
    const allowed_domains = ['*.A.example:80']
    const wildcard = ['https://*.a.example:*', 'http://*.a.example:*']
    expect(sources({ allowed_domains }, 'watch.example')).toEqual([...wildcard, ...service])
    expect(sources({ allowed_domains, direct_play: true }, 'watch.example')).toEqual([
      ...wildcard,
      ...service,
      'https://watch.example:*',
      'http://watch.example:*',
    ])
  })
})
