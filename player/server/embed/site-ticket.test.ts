import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  DEFAULT_PLAYER_SETTINGS,
  type PlayerSettings,
} from '../../../domain/settings/player-settings.ts'
import { previewLookOf } from '../../../domain/settings/preview-look.ts'
import { deriveKeys } from '../../../security/sealing/sealing.ts'
import { sealPreviewTicket } from '../../../security/tokens/preview-ticket.ts'
import { signReferrer } from '../../../security/tokens/referrer-ticket.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'
import { paths } from '../paths.ts'

let fixture: PlayerFixture

beforeAll(async () => {
  // More combinations of parameters are refused than one network may try.
  const refusals = { burst: 10_000, perSecond: 10_000 }
  fixture = await openPlayerFixture(() => ({ anonymousRates: { refusals } }))
})

beforeEach(async () => {
  await fixture.setVideo({ status: 'ready', protection: 'multi-drm' })
  await fixture.configure({ app_only_l3: true, allowed_domains: [SITE] })
})

afterAll(() => fixture.close())

const SITE = 'site.example'
const EDGE = {
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
}

/** The headers of a page that loads another address of its own. */
const own = () => ({ Referer: fixture.base + fixture.embedPath, ...EDGE })

const get = async (query: string, headers: Record<string, string> = own()) => {
  const response = await fixture.page(query, headers)
  return { status: response.status, html: await response.text() }
}

const keys = () => deriveKeys(fixture.masterKeys, 'framing-site')

const ticketOf = (site = `https://${SITE}/`) => signReferrer(site, fixture.videoId, keys())

const without = (ticket: string) => `?hardware=none&from=${encodeURIComponent(ticket)}`

/** True for the page with the player, which plays or waits. */
const isPlayer = ({ html }: { html: string }) => html.includes('player-data')

const NO_HARDWARE = '<h1>Hardware protection is missing</h1>'

describe('no combination of query parameters', () => {
  const valuesOf = () => {
    const { accountId, videoId } = fixture
    const subject = { accountId, videoId, viewerId: 'ann' }
    const look = { look: previewLookOf(DEFAULT_PLAYER_SETTINGS), expiresAtMs: Date.now() + 60_000 }
    const preview = sealPreviewTicket(fixture.masterKeys, subject, look)
    const here = ticketOf(fixture.base)
    return {
      vt: ['', fixture.vtFor('ann'), fixture.vtFor('ann', -1)].map((vt) => [vt]),
      from: [[], ['x'], [ticketOf()], [here], [ticketOf(), here]],
      hardware: [[], ['none'], ['x'], ['none', 'x']],
      preview: [[], [preview]],
      lang: [[], ['de']],
    }
  }

  /** Every query with one of the values of each parameter. */
  const queries = (): string[] =>
    Object.entries(valuesOf()).reduce<string[]>(
      (known, [name, values]) =>
        known.flatMap((query) =>
          values.map((repeated) =>
            repeated.reduce((text, value) => `${text}&${name}=${encodeURIComponent(value)}`, query),
          ),
        ),
      ['?autoplay=1'],
    )

  const played = async (headers: Record<string, string>): Promise<string[]> => {
    const all = queries()
    const pages = await Promise.all(all.map((query) => get(query, headers)))
    return all.filter((_query, n) => pages[n] !== undefined && isPlayer(pages[n])).slice(0, 3)
  }

  it.each<[string, Partial<PlayerSettings>, object]>([
    ['an account that every site may embed', {}, {}],
    ['an account with allowed sites', { allowed_domains: [SITE] }, {}],
    ['an App-Only account', { app_only_l3: true }, { protection: 'multi-drm' }],
    ['a video that does not play yet', {}, { status: 'processing' }],
  ])('plays without Referer and Origin in %s', async (_name, settings, video) => {
    await fixture.setVideo({ status: 'ready', protection: 'clearkey', ...video })
    await fixture.configure(settings)
    expect(await played(EDGE)).toEqual([])
    expect(await played({ Origin: 'null', ...EDGE })).toEqual([])
  })

  it('lets a page play for the site that a ticket names', async () => {
    await fixture.setVideo({ protection: 'clearkey' })
    await fixture.configure({ allowed_domains: [SITE] })
    expect(await played(own())).toEqual([])
  })
})

describe('the ticket with which the page of an App-Only video loads the one about hardware', () => {
  it('names the site that framed it first', async () => {
    expect(await get(without(ticketOf()))).toMatchObject({ status: 403 })
    expect((await get(without(ticketOf()))).html).toContain(NO_HARDWARE)
  })

  it('does so behind a proxy that uses another host name', async () => {
    const proxied = { Referer: 'https://play.example/x', ...EDGE }
    expect((await get(without(ticketOf()), proxied)).html).toContain(NO_HARDWARE)
  })

  it('asks to reload the site if the video has come to play for this browser', async () => {
    await fixture.configure({ allowed_domains: [SITE] })
    const { status, html } = await get(without(ticketOf()))
    expect(status).toBe(403)
    expect(html).toContain('Please reload the page that contains the video.')
  })

  it('does not count for another page, without a Referer, or for another site', async () => {
    const refused = async (query: string, headers?: Record<string, string>) =>
      expect((await get(query, headers)).html).not.toContain(NO_HARDWARE)
    await refused(`?from=${ticketOf()}`)
    await refused(without(ticketOf()), EDGE)
    await refused(without(ticketOf()), { Referer: 'https://other.example/', ...EDGE })
    await refused(without(ticketOf()), { Origin: 'https://other.example', ...EDGE })
  })

  it('does not help a site that was blocked in the meantime', async () => {
    await fixture.configure({ app_only_l3: true, blocked_domains: [SITE] })
    const { status, html } = await get(without(ticketOf()))
    expect(status).toBe(403)
    expect(html).toContain(SITE)
    expect(html).not.toContain(NO_HARDWARE)
  })

  it('is no session token, in no form', async () => {
    const html = await (await fixture.page('', { Referer: `https://${SITE}/`, ...EDGE })).text()
    const [, ticket = ''] = /"noHardwareUrl":"[^"]*from=([^"&]*)/.exec(html) ?? []
    expect(ticket).not.toBe('')
    for (const session of [ticket, `no-hardware-page ${fixture.videoId} ${ticket}`]) {
      const response = await fixture.ask(paths.extras, { session })
      expect([response.status, await response.json()]).toMatchObject([
        403,
        { error: { code: 'session_required' } },
      ])
    }
  })

  it('must be genuine, and of this video', async () => {
    const site = `https://${SITE}/`
    const others = [
      signReferrer(site, '0'.repeat(20), keys()),
      signReferrer(site, fixture.videoId, [Buffer.alloc(32)]),
      `${ticketOf()}A`,
      'a.b',
      '',
    ]
    for (const ticket of others)
      expect((await get(without(ticket))).html).not.toContain(NO_HARDWARE)
  })
})
