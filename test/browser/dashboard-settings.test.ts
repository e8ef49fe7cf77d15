import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { editSettings } from '../../commands/settings/edit-settings.ts'
import { findAccount } from '../../db/accounts/accounts.ts'
import { embedUrl } from '../../domain/playback/embed-url.ts'
import {
  DEFAULT_PLAYER_SETTINGS,
  type PlayerSettings,
} from '../../domain/settings/player-settings.ts'
import { createPlayerApp } from '../../player/server/app.ts'
import { openHeartbeats } from '../../player/server/heartbeats.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { loadPlayerAssets } from '../fixtures/player-assets.ts'
import { insertPublishedVideo } from '../fixtures/published-video.ts'
import { playerDataOf, SITE } from '../fixtures/viewer.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { itOfAll } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { checkViews, PLAIN, VIEWS_WITHIN_MS } from './dashboard-looks.ts'
import { loseNextResponse } from './lose-response.ts'
import { openWatchedBrowser, type Look, type WatchedBrowser } from './watched-browser.ts'

/** Two player hosts, as two processes would be; the dashboard shows the first. */
const players: [Server, Server] = [createServer(), createServer()]
let fixture: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let folder: string
let bases: string[]
let videoId: string
let cookies: Record<'owner' | 'editor' | 'reader', { name: string; value: string }>

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  folder = await mkdtemp(join(tmpdir(), 'reelgate-settings-'))
  bases = [await listen(players[0]), await listen(players[1])]
  const [embedBase = ''] = bases
  fixture = await openDashboardFixture(() => ({
    webRouter,
    embedBase,
    serviceDomains: ['localhost'],
  }))
  for (const [index, base] of bases.entries()) players[index]?.on('request', await playerApp(base))
  const keys = { masterKeys: fixture.masterKeys, signingSecret: 'a'.repeat(64) }
  const facts = { title: 'Opening night', accountId: fixture.accountId, durationMs: 60_000 }
  videoId = (await insertPublishedVideo(fixture.db, keys, facts)).videoId
  const name = cookieName(fixture.dashboardBase)
  const cookie = async (id: number) => ({ name, value: await fixture.startSession(id) })
  const { owner, editor, reader } = fixture.members
  cookies = {
    owner: await cookie(owner.id),
    editor: await cookie(editor.id),
    reader: await cookie(reader.id),
  }
}, 120_000)

afterAll(async () => {
  await browser?.close()
  for (const player of players) {
    player.closeAllConnections()
    player.close()
  }
  await fixture?.close()
  await rm(folder, { recursive: true, force: true })
})

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

const playerApp = async (embedBase: string) =>
  createPlayerApp({
    db: fixture.db,
    masterKeys: fixture.masterKeys,
    storage: createStorage({ driver: 'folder', dir: folder }),
    preparedAssets: await loadPlayerAssets(),
    embedBase,
    mediaBase: embedBase,
    serviceDomains: ['localhost'],
    dashboardBase: fixture.dashboardBase,
    directPlayBase: null,
    appStoreUrl: null,
    licences: null,
    heartbeats: openHeartbeats(fixture.db),
    countServed: () => {},
    trustedProxies: 0,
    logger: pino({ level: 'silent' }),
  })

const pages = () => `${fixture.dashboardBase}/accounts/${fixture.accountId}/settings`

const open = (path: string, who: keyof typeof cookies = 'owner', look: Look = PLAIN) =>
  browser.open(pages() + path, look, cookies[who])

const edit = (change: (settings: PlayerSettings) => PlayerSettings) =>
  editSettings(fixture.em(), fixture.accountId, change)

const stored = async (): Promise<PlayerSettings> => {
  const account = await findAccount(fixture.em(), fixture.accountId)
  if (!account) throw new Error('no account')
  return account.settings
}

/** Saves, and waits until the page says that it is done. */
async function saveAll(page: Page): Promise<void> {
  await save(page)
  await page.getByText('Saved', { exact: true }).waitFor()
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

/** Keeps the body of the last PATCH as `patch`: Playwright does not see the bodies of streamed requests. */
const KEEP_PATCHES = `
  const send = fetch
  window.fetch = async (request) => {
    if (request.method === 'PATCH') window.patch = await request.clone().json()
    return send(request)
  }`

/** The player that the preview shows. */
const previewFrame = (page: Page) =>
  page.frames().find((frame) => frame !== page.mainFrame() && frame.url().includes('preview='))

/** The accent colour in the preview; undefined while it loads. */
const previewAccent = async (page: Page): Promise<string | undefined> =>
  previewFrame(page)
    ?.evaluate<string>("document.documentElement.style.getPropertyValue('--accent')")
    .catch(() => undefined)

/** What each player host shows a site that embeds the video. */
const embeds = () =>
  Promise.all(
    bases.map(async (base) => {
      const address = embedUrl(base, videoId, fixture.accountId)
      const html = await (await fetch(address, { headers: { Referer: SITE } })).text()
      expect(html).not.toContain('data-preview')
      return playerDataOf(html).colors.accent
    }),
  )

const insertPlay = (host: string) =>
  fixture.execute(
    `insert into playback_record (id, video_id, account_id, referer_host, signing_secret_version)
     values (gen_random_uuid(), ?, ?, ?, 1)`,
    [videoId, fixture.accountId, host],
  )

beforeEach(() => edit(() => DEFAULT_PLAYER_SETTINGS))

const VIEWS = [
  { name: 'player', path: '/player', shown: 'section button' },
  {
    name: 'watermark with the secret',
    path: '/watermark',
    shown: '#secret',
    async open(page: Page) {
      await page.locator('section:has(#secret) button').first().click()
      await page.locator('section:has(#secret) code').waitFor()
    },
  },
  {
    name: 'dialog to replace the secret',
    path: '/watermark',
    shown: '#secret',
    async open(page: Page) {
      await page.locator('section:has(#secret) button').nth(1).click()
      await page.locator('[role=dialog] form').waitFor()
    },
  },
  {
    name: 'domains with a response and an error',
    path: '/domains',
    shown: '#tester',
    async open(page: Page) {
      const [allowed, blocked] = [page.locator('textarea').first(), page.locator('textarea').nth(1)]
      await allowed.fill('www.example.com')
      await page.locator('section:has(#tester) input').fill('https://other.example/lesson')
      await page.locator('section:has(#tester) button').click()
      await page.locator('section:has(#tester) bdi').waitFor()
      await blocked.fill('*.bad.example\nhttps://not.a.host/')
      await allowed.focus()
      await page.locator('textarea[aria-invalid=true]').waitFor()
    },
  },
  { name: 'protection', path: '/protection', shown: '#protection' },
  { name: 'viewer data', path: '/viewers', shown: 'section input' },
]

describe('the pages of settings', () => {
  itOfAll(
    'fit, break no rule of axe and obey the policy',
    async () => {
      await checkViews(VIEWS, { browser, base: pages(), cookie: cookies.owner })
    },
    VIEWS_WITHIN_MS,
  )

  it('show readers the values, and no control', async () => {
    const page = await open('/player', 'reader')
    await page.getByText('#4f8cff').waitFor()
    for (const role of ['textbox', 'radio', 'switch', 'checkbox'] as const)
      expect(await page.getByRole(role).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Watermark' }).click()
    await page.getByText('Only owners of the account can see it.').waitFor()
    expect(await browser.axe(page)).toEqual([])
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  itOfAll(
    'ask before unsaved changes are left, and keep them',
    async () => {
      const page = await open('/protection')
      await page.getByRole('switch', { name: 'Direct Play' }).check({ force: true })
      await page.getByRole('link', { name: 'Player', exact: true }).click()
      await page.getByRole('button', { name: 'Stay here' }).click()
      expect(await page.getByRole('switch', { name: 'Direct Play' }).isChecked()).toBe(true)
      await page.getByRole('link', { name: 'Player', exact: true }).click()
      await page.getByRole('button', { name: 'Leave', exact: true }).click()
      await page.getByLabel('Accent colour', { exact: true }).waitFor()
      expect(await stored()).toEqual(DEFAULT_PLAYER_SETTINGS)
      await browser.leave(page)
    },
    60_000,
  )
})

describe('a colour', () => {
  it('is seen in the real player before it is saved, and in every embed after it', async () => {
    const page = await open('/player')
    await page.getByRole('button', { name: 'Show preview' }).click()
    await waitFor('the saved colour', async () => (await previewAccent(page)) === '#4f8cff')
    const accent = page.getByLabel('Accent colour', { exact: true })
    await accent.fill('#ff8800')
    await waitFor('the unsaved colour', async () => (await previewAccent(page)) === '#ff8800')
    expect(await previewFrame(page)?.locator('html[data-preview]').count()).toBe(1)
    expect(await embeds()).toEqual(['#4f8cff', '#4f8cff'])
    await accent.fill('#101010')
    await page.getByText('Too little contrast').waitFor()
    expect(await browser.axe(page)).toEqual([])
    await accent.fill('#ff8800')
    await page.evaluate(KEEP_PATCHES)
    await saveAll(page)
    expect(await page.evaluate('patch')).toEqual({
      version: expect.any(Number),
      colors: { accent: '#ff8800' },
    })
    expect(await embeds()).toEqual(['#ff8800', '#ff8800'])
    await browser.leave(page)
  }, 90_000)
})

describe('two editors', () => {
  it('see both values of what both have changed, choose, and lose nothing', async () => {
    const page = await open('/player', 'editor')
    const accent = page.getByLabel('Accent colour', { exact: true })
    const text = page.getByLabel('Text colour', { exact: true })
    await accent.fill('#aa0000')
    await text.fill('#eeeeee')
    await edit((settings) => ({
      ...settings,
      theme: 'light',
      colors: { ...settings.colors, accent: '#00aa00' },
    }))
    await save(page)
    const alert = page.getByRole('alert')
    await alert.getByText('Their other changes are in the form now: Theme.').waitFor()
    const button = page.getByRole('button', { name: 'Save', exact: true })
    expect(await button.isDisabled()).toBe(true)
    expect([await accent.inputValue(), await text.inputValue()]).toEqual(['#aa0000', '#eeeeee'])
    expect(await browser.axe(page)).toEqual([])
    expect(await alert.getByRole('radio', { name: 'Mine #aa0000' }).count()).toBe(1)
    await alert.getByRole('radio', { name: 'Theirs #00aa00' }).check()
    expect(await accent.inputValue()).toBe('#00aa00')
    await saveAll(page)
    const { theme, colors } = await stored()
    expect({ theme, accent: colors.accent, text: colors.text }).toEqual({
      theme: 'light',
      accent: '#00aa00',
      text: '#eeeeee',
    })
    await browser.leave(page)
  }, 60_000)
})

describe('the limit of plays', () => {
  itOfAll(
    'is a whole number, or none, and is asked about if two editors differ',
    async () => {
      const page = await open('/protection', 'editor')
      const limit = page.getByRole('textbox', { name: 'Plays at the same time' })
      const newest = page.getByRole('radio', { name: 'The newest' })
      expect([await limit.inputValue(), await newest.isDisabled()]).toEqual(['', true])
      await limit.fill('21')
      await limit.blur()
      expect(await limit.inputValue()).toBe('20')
      await limit.fill('3')
      await page.getByText('The oldest', { exact: true }).click()
      await edit((settings) => ({
        ...settings,
        concurrent_plays: { ...settings.concurrent_plays, limit: 5 },
      }))
      await save(page)
      const alert = page.getByRole('alert')
      await alert.getByRole('radio', { name: 'Theirs 5' }).waitFor()
      expect(await browser.axe(page)).toEqual([])
      await alert.getByRole('radio', { name: 'Mine 3' }).check()
      await saveAll(page)
      expect((await stored()).concurrent_plays).toEqual({ limit: 3, winner: 'oldest' })
      await limit.fill('')
      await saveAll(page)
      expect((await stored()).concurrent_plays.limit).toBeNull()
      await browser.leave(page)
    },
    60_000,
  )
})

describe('a save that fails', () => {
  it('keeps what was typed while the server is away and after the session has ended', async () => {
    const { editor } = fixture.members
    const cookie = { name: cookies.editor.name, value: await fixture.startSession(editor.id) }
    const page = await browser.open(`${pages()}/player`, PLAIN, cookie)
    const accent = page.getByLabel('Accent colour', { exact: true })
    await accent.fill('#123456')
    await page.route('**/settings', (route) => route.abort('connectionrefused'))
    await save(page)
    await page.getByText('Your changes are still here.').waitFor()
    await page.unroute('**/settings')
    await fixture.execute('delete from dashboard_session where member_id = ?', [editor.id])
    await save(page)
    const link = page.getByRole('link', { name: 'Sign in' }).first()
    await link.waitFor()
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await link.getAttribute('href')).toContain('/sign-in')
    expect(new URL(page.url()).pathname).toMatch(/settings\/player$/)
    expect(await accent.inputValue()).toBe('#123456')
    // As after the sign-in in another tab.
    const value = await fixture.startSession(editor.id)
    await page.context().addCookies([{ name: cookie.name, value, url: new URL(page.url()).origin }])
    await saveAll(page)
    expect((await stored()).colors.accent).toBe('#123456')
    await browser.leave(page)
  }, 60_000)
})

describe('a save whose response is lost', () => {
  itOfAll(
    'is done once, and a second click finds it saved',
    async () => {
      const page = await open('/player')
      const accent = page.getByLabel('Accent colour', { exact: true })
      await accent.fill('#654321')
      await loseNextResponse(page, '*/settings')
      await save(page)
      await page.getByText('Your changes are still here.').waitFor()
      expect(await accent.inputValue()).toBe('#654321')
      const version = async () => {
        const { json } = await fixture.call('owner', 'GET', '/settings')
        return json.version
      }
      const before = await version()
      await saveAll(page)
      expect(await page.getByText('Another member saved changes').count()).toBe(0)
      expect([await version(), (await stored()).colors.accent]).toEqual([before, '#654321'])
      await browser.leave(page)
    },
    60_000,
  )
})

describe('the lists of domains', () => {
  it('are tested before they are saved, against a page and against the last day', async () => {
    await insertPlay('old.example')
    await insertPlay('www.site.example')
    const page = await open('/domains')
    await page.getByLabel('Allowed domains').fill('*.Site.example\n\n')
    await page.getByLabel('Address of the page').fill('https://old.example/lesson')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('No, old.example is not in the list of allowed domains.').waitFor()
    await save(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('old.example').waitFor()
    expect(await dialog.getByText('site.example').count()).toBe(0)
    expect(await browser.axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect((await stored()).allowed_domains).toEqual([])
    await save(page)
    await dialog.getByRole('button', { name: 'Save anyway' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await stored()).allowed_domains).toEqual(['*.site.example'])
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)
})

describe('required tokens', () => {
  itOfAll(
    'are saved only after the page has said how many plays of the last day had none',
    async () => {
      await fixture.execute('delete from playback_record')
      await insertPlay('www.site.example')
      await insertPlay('old.example')
      const page = await open('/watermark')
      const [shown, required] = ['Show the watermark', 'Require viewer tokens'].map((name) =>
        page.getByRole('switch', { name }),
      )
      await required?.check({ force: true })
      await saveAll(page)
      // Without a watermark, the requirement has no effect.
      await shown?.check({ force: true })
      await save(page)
      const dialog = page.getByRole('dialog', { name: 'Some plays would be refused' })
      await dialog.getByText('Plays of the last 24 hours without a valid token: 2.').waitFor()
      expect(await browser.axe(page)).toEqual([])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      expect((await stored()).watermark).toMatchObject({ enabled: false, required: true })
      await save(page)
      await dialog.getByRole('button', { name: 'Save anyway' }).click()
      await page.getByText('Saved', { exact: true }).waitFor()
      expect((await stored()).watermark).toMatchObject({ enabled: true, required: true })
      expect(await browser.complaints(page)).toEqual([])
      await browser.leave(page)
    },
    60_000,
  )
})

describe('what is kept of viewers', () => {
  it('is erased only after the page has said so, and is kept as many days as the account says', async () => {
    const page = await open('/viewers')
    const days = page.getByLabel('Keep progress (days)')
    await days.fill('30')
    await page.getByRole('switch', { name: 'Totals only' }).check({ force: true })
    await page.getByText('keep the viewer id, because they enforce rules').waitFor()
    await save(page)
    const dialog = page.getByRole('dialog', { name: 'Erase what is kept of each viewer?' })
    await dialog.getByText('This cannot be undone.').waitFor()
    expect(await browser.axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    const requests = () => fixture.execute('select viewer_id from viewer_erasure')
    expect(await requests()).toEqual([])
    await save(page)
    await dialog.getByRole('button', { name: 'Erase and save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await stored()).viewer_data).toEqual({
      totals_only: true,
      sessions_kept_days: null,
      progress_kept_days: 30,
    })
    expect(await requests()).toEqual([{ viewer_id: null }])
    await page.getByRole('link', { name: 'Audience' }).click()
    await page.getByRole('link', { name: 'Viewers' }).click()
    await page.getByText('This account keeps nothing of each viewer.').waitFor()
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)
})

describe('the signing secret', () => {
  it('is hidden until an owner shows it, and replaced after the name of the account was typed', async () => {
    const page = await open('/watermark')
    const section = page.locator('section:has(#secret)')
    await section.getByRole('button', { name: 'Show secret' }).click()
    const code = section.locator('code')
    await code.waitFor()
    const before = await code.textContent()
    expect(before).toMatch(/^[0-9a-f]{64}$/)
    await section.getByRole('button', { name: 'Replace secret' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('stop working at once').waitFor()
    await dialog.getByLabel('Type Test to confirm').fill('Test')
    await dialog.getByRole('button', { name: 'Replace secret' }).click()
    await page.getByText('The old one no longer works.').waitFor()
    expect(await code.textContent()).not.toBe(before)
    await section.getByRole('button', { name: 'Hide' }).click()
    expect(await page.content()).not.toContain(before)
    expect(await code.count()).toBe(0)
    await section.getByRole('button', { name: 'Show secret' }).click()
    await code.waitFor()
    const body = { account_name: 'Test' }
    await fixture.call('owner', 'POST', '/signing-secret/rotate', { body })
    // As it does when the member comes back to the tab.
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
    await section.getByText('It has been replaced in another tab').waitFor()
    expect(await code.count()).toBe(0)
    await browser.leave(page)
  }, 60_000)
})
