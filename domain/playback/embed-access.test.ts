import { describe, expect, it } from 'vitest'
import { DEFAULT_PLAYER_SETTINGS, type PlayerSettings } from '../settings/player-settings.ts'
import type { VideoStatus } from '../videos/video-state.ts'
import type { BrowserClass } from './browser-class.ts'
import { decideApp, decideEmbed, type EmbedDecision, type EmbedRequest } from './embed-access.ts'

const settings = (changes: Partial<PlayerSettings> = {}): PlayerSettings => ({
  ...DEFAULT_PLAYER_SETTINGS,
  ...changes,
})
const watermark = (enabled: boolean, required: boolean) => ({
  watermark: { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled, required },
})
const enforced = watermark(true, true)
const base: EmbedRequest = {
  host: 'site.example',
  isSiteFromTicket: false,
  settings: settings(),
  protection: 'clearkey',
  serviceDomains: [],
  directPlayHost: null,
  token: 'missing',
  browser: 'windows-other',
  isWithoutHardware: false,
  status: 'ready',
}
const decide = (changes: Partial<EmbedRequest>) => decideEmbed({ ...base, ...changes })

/** Returns a decision in one word, as in the rows below. */
const inShort = (decision: EmbedDecision): string => {
  if (decision.kind === 'app_only') return decision.verdict
  return 'reason' in decision ? decision.reason : decision.kind
}
const blocked = { blocked_domains: ['site.example'] }
const notAllowed = { allowed_domains: ['other.example'] }
const multiDrm = { protection: 'multi-drm' } as const
const appOnly = { app_only_l3: true }

describe('the first check that fails decides', () => {
  it.each<[string, Partial<EmbedRequest>, string]>([
    [
      'a missing Referer comes before the token',
      { host: null, settings: settings(enforced) },
      'no_referrer',
    ],
    [
      'a missing Referer comes before App-Only',
      { host: null, settings: settings(appOnly), ...multiDrm },
      'no_referrer',
    ],
    [
      'a missing Referer comes before a failed video',
      { host: null, status: 'failed' },
      'no_referrer',
    ],
    [
      'a missing Referer comes before a queued video',
      { host: null, status: 'queued' },
      'no_referrer',
    ],
    [
      'a missing Referer comes before a revoked viewer',
      { host: null, token: 'revoked' },
      'no_referrer',
    ],
    [
      'a blocked domain comes before the allowed list',
      { settings: settings({ ...blocked, allowed_domains: ['site.example'] }) },
      'domain_blocked',
    ],
    [
      'a blocked domain comes before a forged token',
      { settings: settings({ ...enforced, ...blocked }), token: 'forged' },
      'domain_blocked',
    ],
    [
      'a blocked domain comes before App-Only',
      { settings: settings({ ...blocked, ...appOnly }), ...multiDrm },
      'domain_blocked',
    ],
    [
      'a blocked domain comes before a failed video',
      { settings: settings(blocked), status: 'failed' },
      'domain_blocked',
    ],
    [
      'a blocked domain is refused with a valid token too',
      { settings: settings({ ...enforced, ...blocked }), token: 'valid' },
      'domain_blocked',
    ],
    [
      'a domain that is not allowed comes before the token',
      { settings: settings({ ...enforced, ...notAllowed }) },
      'domain_not_allowed',
    ],
    [
      'a domain that is not allowed comes before a revoked viewer',
      { settings: settings(notAllowed), token: 'revoked' },
      'domain_not_allowed',
    ],
    [
      'a domain that is not allowed comes before App-Only',
      { settings: settings({ ...notAllowed, ...appOnly }), ...multiDrm },
      'domain_not_allowed',
    ],
    [
      'a domain that is not allowed comes before a queued video',
      { settings: settings(notAllowed), status: 'queued' },
      'domain_not_allowed',
    ],
    [
      'a domain that is not allowed is refused with a valid token too',
      { settings: settings({ ...enforced, ...notAllowed }), token: 'valid' },
      'domain_not_allowed',
    ],
    [
      'a missing token comes before App-Only',
      { settings: settings({ ...enforced, ...appOnly }), ...multiDrm },
      'missing',
    ],
    [
      'a revoked viewer comes before App-Only',
      { settings: settings(appOnly), ...multiDrm, token: 'revoked' },
      'revoked',
    ],
    [
      'a missing token comes before a failed video',
      { settings: settings(enforced), status: 'failed' },
      'missing',
    ],
    [
      'an expired token comes before a queued video',
      { settings: settings(enforced), token: 'expired', status: 'queued' },
      'expired',
    ],
    [
      'a revoked viewer comes before a queued video',
      { token: 'revoked', status: 'queued' },
      'revoked',
    ],
    [
      'App-Only comes before a queued video',
      { settings: settings(appOnly), ...multiDrm, status: 'queued' },
      'open_edge',
    ],
    [
      'App-Only comes before a failed video',
      { settings: settings(appOnly), ...multiDrm, status: 'failed' },
      'open_edge',
    ],
    [
      'App-Only applies to a viewer with a valid token too',
      { settings: settings({ ...enforced, ...appOnly }), ...multiDrm, token: 'valid' },
      'open_edge',
    ],
    [
      'no check fails',
      {
        settings: settings({ ...enforced, ...appOnly, allowed_domains: ['site.example'] }),
        ...multiDrm,
        token: 'valid',
        browser: 'windows-edge',
      },
      'play',
    ],
  ])('%s', (_name, changes, word) => expect(inShort(decide(changes))).toBe(word))
})

describe('the state of the video', () => {
  const rows: [VideoStatus, string][] = [
    ['queued', 'wait'],
    ['processing', 'wait'],
    ['playable', 'play'],
    ['ready', 'play'],
    ['failed', 'failed'],
  ]

  it.each(rows)('%s, for an allowed viewer: %s', (status, word) =>
    expect(inShort(decide({ status }))).toBe(word),
  )

  it.each(rows)('%s, for a viewer with a valid token under enforcement: %s', (status, word) =>
    expect(inShort(decide({ status, settings: settings(enforced), token: 'valid' }))).toBe(word),
  )

  it.each(rows)('%s, for Safari in App-Only mode: %s', (status, word) => {
    const changes = { settings: settings(appOnly), ...multiDrm, browser: 'apple-safari' } as const
    expect(inShort(decide({ ...changes, status }))).toBe(word)
  })
})

describe('the token', () => {
  it.each<[EmbedRequest['token'], string]>([
    ['missing', 'missing'],
    ['expired', 'expired'],
    ['forged', 'forged'],
    ['malformed', 'forged'],
    ['exp_in_milliseconds', 'exp_in_milliseconds'],
    ['revoked', 'revoked'],
    ['valid', 'play'],
  ])('that is %s, under enforcement: %s', (token, word) =>
    expect(inShort(decide({ settings: settings(enforced), token }))).toBe(word),
  )

  describe.each([
    ['watermark alone', true, false],
    ['required without a watermark', false, true],
    ['neither', false, false],
  ])('without enforcement (%s)', (_name, enabled, required) => {
    it.each<[EmbedRequest['token'], string]>([
      ['missing', 'play'],
      ['expired', 'play'],
      ['forged', 'play'],
      ['malformed', 'play'],
      ['exp_in_milliseconds', 'play'],
      ['revoked', 'revoked'],
      ['valid', 'play'],
    ])('that is %s: %s', (token, word) =>
      expect(inShort(decide({ settings: settings(watermark(enabled, required)), token }))).toBe(
        word,
      ),
    )
  })

  it('is refused as token_required, with its reason', () =>
    expect(decide({ token: 'revoked' })).toEqual({ kind: 'token_required', reason: 'revoked' }))
})

describe('App-Only mode', () => {
  const rows: [BrowserClass, string][] = [
    ['windows-edge', 'play'],
    ['apple-safari', 'play'],
    ['android', 'open_app'],
    ['windows-other', 'open_edge'],
    ['apple-other', 'open_safari'],
    ['other', 'guidance'],
  ]

  it.each(rows)('on a Multi-DRM plan, for %s: %s', (browser, word) =>
    expect(inShort(decide({ settings: settings(appOnly), ...multiDrm, browser }))).toBe(word),
  )

  it.each(rows)('with a valid token under enforcement, for %s: %s', (browser, word) => {
    const changes = { settings: settings({ ...appOnly, ...enforced }), token: 'valid' } as const
    expect(inShort(decide({ ...changes, ...multiDrm, browser }))).toBe(word)
  })

  it.each(rows)('has no effect on a ClearKey plan: %s plays', (browser) =>
    expect(inShort(decide({ settings: settings(appOnly), browser }))).toBe('play'),
  )

  it.each(rows)('switched off on a Multi-DRM plan lets %s play', (browser) =>
    expect(inShort(decide({ ...multiDrm, browser }))).toBe('play'),
  )

  it.each<[BrowserClass, string]>([
    ['windows-edge', 'no_hardware'],
    ['apple-safari', 'no_hardware'],
    ['android', 'open_app'],
    ['windows-other', 'open_edge'],
    ['apple-other', 'open_safari'],
    ['other', 'guidance'],
  ])('without hardware protection, for %s: %s', (browser, word) => {
    const without = { browser, isWithoutHardware: true }
    expect(inShort(decide({ settings: settings(appOnly), ...multiDrm, ...without }))).toBe(word)
    expect(inShort(decide({ ...multiDrm, ...without }))).toBe('play')
    expect(inShort(decide({ settings: settings(appOnly), ...without }))).toBe('play')
  })

  it('gets app_only, with the page to show', () => {
    const changes = { settings: settings(appOnly), ...multiDrm, browser: 'android' } as const
    expect(decide(changes)).toEqual({ kind: 'app_only', verdict: 'open_app' })
  })
})

describe('a site that a ticket names', () => {
  it.each<[string, Partial<EmbedRequest>, string]>([
    ['never plays', {}, 'outdated'],
    ['never waits', { status: 'queued' }, 'outdated'],
    ['learns that the video has failed', { status: 'failed' }, 'failed'],
    ['is refused by the domain rules', { settings: settings(blocked) }, 'domain_blocked'],
    [
      'learns that hardware protection is missing',
      {
        settings: settings(appOnly),
        ...multiDrm,
        browser: 'windows-edge',
        isWithoutHardware: true,
      },
      'no_hardware',
    ],
  ])('%s', (_name, changes, word) =>
    expect(inShort(decide({ isSiteFromTicket: true, ...changes }))).toBe(word),
  )
})

describe('the mobile app', () => {
  const app = {
    settings: settings(enforced),
    ...multiDrm,
    token: 'valid',
    status: 'ready',
  } as const
  type Change = Partial<Parameters<typeof decideApp>[0]>
  const decided = (change: Change) => {
    const decision = decideApp({ ...app, ...change })
    return 'reason' in decision ? decision.reason : decision.kind
  }

  it.each<[string, Change, string]>([
    ['plays with a valid token', {}, 'play'],
    ['plays in App-Only mode', { settings: settings({ ...enforced, ...appOnly }) }, 'play'],
    [
      'plays whatever the domain rules are',
      { settings: settings({ ...notAllowed, ...blocked }) },
      'play',
    ],
    [
      'plays without a token where none is required',
      { settings: settings(), token: 'missing' },
      'play',
    ],
    ['plays a video that is not complete', { status: 'playable' }, 'play'],
    ['needs a token where one is required', { token: 'missing' }, 'missing'],
    ['needs a genuine token', { token: 'malformed' }, 'forged'],
    ['does not play for a revoked viewer', { settings: settings(), token: 'revoked' }, 'revoked'],
    ['does not play ClearKey videos', { protection: 'clearkey' }, 'not_multi_drm'],
    [
      'does not learn without a token how a video is protected',
      { protection: 'clearkey', token: 'expired' },
      'expired',
    ],
    ['waits for a video in processing', { status: 'processing' }, 'wait'],
    ['waits for a queued video', { status: 'queued' }, 'wait'],
    ['does not play a failed video', { status: 'failed' }, 'failed'],
  ])('%s', (_name, change, word) => expect(decided(change)).toBe(word))
})
