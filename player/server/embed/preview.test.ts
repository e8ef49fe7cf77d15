import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/settings/player-settings.ts'
import { previewLookOf } from '../../../domain/settings/preview-look.ts'
import { sealPreviewTicket } from '../../../security/tokens/preview-ticket.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'
import { playerDataOf, SITE } from '../../../test/fixtures/viewer.ts'

const DASHBOARD = 'https://dashboard.example/accounts/1/settings/player'
const VIEWER = 'dashboard:3'
const { watermark } = DEFAULT_PLAYER_SETTINGS
const LOOK = previewLookOf({
  ...DEFAULT_PLAYER_SETTINGS,
  theme: 'light',
  colors: { accent: '#ff0000', background: '#00ff00', text: '#0000ff' },
  watermark: { enabled: true, required: false, opacity: 0.8, size: 'large' },
})

let fixture: PlayerFixture

beforeAll(async () => {
  fixture = await openPlayerFixture(() => ({ serviceDomains: ['dashboard.example'] }))
})
afterAll(() => fixture.close())
beforeEach(() => fixture.configure({}))

function ticketFor(change: object = {}, look = LOOK, secondsLeft = 300): string {
  const { accountId, videoId } = fixture
  const subject = Object.assign({ accountId, videoId, viewerId: VIEWER }, change)
  const expiresAtMs = Date.now() + secondsLeft * 1000
  return sealPreviewTicket(fixture.masterKeys, subject, { look, expiresAtMs })
}

async function load(
  preview: string | null,
  { vt = fixture.vtFor(VIEWER), Referer = DASHBOARD } = {},
) {
  const query = new URLSearchParams({ vt })
  if (preview !== null) query.set('preview', preview)
  const response = await fixture.page(`?${query.toString()}`, { Referer })
  return { status: response.status, html: await response.text() }
}

/** Whether a page shows the saved look. */
async function expectSavedLook(page: { status: number; html: string }): Promise<void> {
  expect(page.status).toBe(200)
  expect(page.html).not.toContain('data-preview')
  expect(page.html).toContain('data-theme="dark"')
  const { colors, watermark: shown } = playerDataOf(page.html)
  expect(colors).toEqual(DEFAULT_PLAYER_SETTINGS.colors)
  expect(shown).toBeNull()
}

describe('a preview', () => {
  it('has the look of its ticket, and is marked', async () => {
    const { status, html } = await load(ticketFor())
    expect(status).toBe(200)
    expect(html).toContain('data-theme="light" data-preview>')
    // The title cannot turn the mark before it.
    expect(html).toMatch(/<bdi class="preview">Preview<\/bdi><bdi>[^<]+<\/bdi><\/div>/)
    const { colors, subtitles, watermark: shown } = playerDataOf(html)
    expect({ colors, subtitles }).toEqual({ colors: LOOK.colors, subtitles: LOOK.subtitles })
    expect(shown).toEqual({ text: VIEWER, opacity: 0.8, size: 'large' })
  })

  it('does not hide the watermark of the saved settings', async () => {
    await fixture.configure({ watermark: { ...watermark, enabled: true } })
    const hidden = { ...LOOK, watermark: { ...LOOK.watermark, enabled: false } }
    const { html } = await load(ticketFor({}, hidden))
    expect(playerDataOf(html).watermark).toMatchObject({ text: VIEWER })
  })

  it('is refused as the embed is, by domain and by token', async () => {
    await fixture.configure({ blocked_domains: ['dashboard.example'] })
    expect((await load(ticketFor())).status).toBe(403)
    await fixture.configure({ watermark: { ...watermark, enabled: true, required: true } })
    expect((await load(ticketFor(), { vt: fixture.vtFor(VIEWER, -1) })).status).toBe(403)
    expect((await load(ticketFor())).status).toBe(200)
  })

  it('is allowed in the dashboard although the account allows only other hosts', async () => {
    await fixture.configure({ allowed_domains: ['site.example'] })
    expect((await load(ticketFor())).html).toContain('data-preview')
  })
})

describe('the saved look is shown', () => {
  it.each<[string, () => string | null]>([
    ['without a ticket', () => null],
    ['with an expired ticket', () => ticketFor({}, LOOK, -1)],
    ['with an altered ticket', () => ticketFor().replace(/.$/, (end) => (end === 'A' ? 'Q' : 'A'))],
    ['with the ticket of another account', () => ticketFor({ accountId: 999_999 })],
    ['with the ticket of another video', () => ticketFor({ videoId: 'f'.repeat(20) })],
    ['with the ticket of another member', () => ticketFor({ viewerId: 'dashboard:4' })],
  ])('%s', async (_name, ticket) => expectSavedLook(await load(ticket())))

  it('without a valid viewer token', async () => {
    await expectSavedLook(await load(ticketFor(), { vt: '' }))
    await expectSavedLook(await load(ticketFor(), { vt: fixture.vtFor(VIEWER, -1) }))
  })

  it('on every other site', async () => {
    await expectSavedLook(await load(ticketFor(), { Referer: SITE }))
    const sibling = { Referer: 'https://x.dashboard.example/' }
    await expectSavedLook(await load(ticketFor(), sibling))
  })
})
