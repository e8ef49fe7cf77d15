import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInvitation } from '../../commands/members/invitations.ts'
import { putMembership } from '../../db/members/write-members.ts'
import { openDashboardFixture, PASSWORD, type DashboardFixture } from '../fixtures/dashboard.ts'
import { insertRow } from '../fixtures/insert-row.ts'
import { insertVideoFixture } from '../fixtures/video-rows.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { startTestNetwork, type TestNetwork } from '../infrastructure/test-network.ts'
import { until } from '../infrastructure/wait-for.ts'
import { leaveFor, PLAIN } from './dashboard-looks.ts'
import { keyboardOf, type Keyboard } from './keyboard.ts'
import { openWatchedBrowser, type WatchedBrowser } from './watched-browser.ts'

const EMAIL = 'anna@site.example'

let t: DashboardFixture & { close: () => Promise<void> }
let network: TestNetwork
/** Responds to every request as a server of videos and a receiver of webhooks do. */
let siteUrl: string
let browser: WatchedBrowser
let page: Page
let keyboard: Keyboard
let videoId: string

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  network = await startTestNetwork()
  const { port } = await network.serveHttps(['site.test'], (_request, response) =>
    response.writeHead(200, { 'Content-Type': 'video/mp4' }).end(),
  )
  network.dns.set('site.test', ['127.0.0.1'])
  siteUrl = `https://site.test:${port}`
  browser = await openWatchedBrowser()
  t = await openDashboardFixture(() => ({ webRouter, egress: network.egress() }))
  videoId = await insertVideoFixture(t.db, { accountId: t.accountId, status: 'ready' })
  page = await browser.open(`${t.dashboardBase}/sign-in`, PLAIN)
  keyboard = keyboardOf(page)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await t?.close()
  await network?.close()
})

const addressOf = (path: string): string => `${t.dashboardBase}/accounts/${t.accountId}${path}`
const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })
const field = (name: string | RegExp): Locator => page.getByLabel(name)
const password = (): Locator => page.getByRole('textbox', { name: 'Password' })
const link = (name: string | RegExp): Locator =>
  page.getByRole('main').getByRole('link', { name, exact: true }).first()
const inDialog = (name: string | RegExp): Locator =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })
const noDialog = (): Promise<void> => page.getByRole('dialog').waitFor({ state: 'detached' })

/** Waits until a screen reader says a text of a live region. */
const said = (text: string): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor({ state: 'attached' })

/** Waits for a page, whose heading takes the focus and is read. */
async function arrived(title: string | RegExp): Promise<void> {
  const heading = page.getByRole('heading', { level: 1, name: title })
  await heading.waitFor()
  await until(() => heading.evaluate((element) => element === document.activeElement), 5_000)
}

async function insertVideos(title: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 1; number <= count; number += 1) {
    const video = { accountId: t.accountId, title: `${title} ${number}`, status: 'ready' } as const
    ids.push(await insertVideoFixture(t.db, video))
  }
  return ids
}

/** An endpoint whose last attempts failed, and a video whose link did not respond. */
async function insertFailures(): Promise<void> {
  await insertRow(t, 'webhook_endpoint', {
    account_id: t.accountId,
    url: 'https://failing.example/hook',
    events: '{video.ready}',
    sealed_secret: 'sealed',
    failure_count: 7,
  })
  const video = { accountId: t.accountId, title: 'Broken lesson', status: 'failed' } as const
  const id = await insertVideoFixture(t.db, video)
  await t.execute(
    "update video set error_code = 'source_unreachable', error_message = 'The link responded with 403.' where id = ?",
    [id],
  )
}

const invite = async (): Promise<string> => {
  const by = { kind: 'operator', id: null, name: 'root' } as const
  const invitation = { accountId: t.accountId, role: 'owner', email: EMAIL, by } as const
  return (await createInvitation(t.em(), invitation)).token
}

// Each form follows the one before, as a new owner would go through them.
describe('with the keyboard alone, an owner', () => {
  it('joins, signs out by the menu of the account, and signs in', async () => {
    await page.goto(`${t.dashboardBase}/welcome#${await invite()}`)
    await keyboard.type(field('E-mail address'), EMAIL)
    await keyboard.type(field(/name/i), 'Anna')
    await keyboard.type(password(), PASSWORD)
    await keyboard.press(button('Continue'))
    await page.waitForURL(addressOf(''))
    await keyboard.press(button(/Account/))
    await keyboard.press(inDialog('Sign out'))
    await page.waitForURL('**/sign-in?signed-out')
    await keyboard.type(field('E-mail address'), EMAIL)
    await keyboard.type(password(), PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(addressOf(''))
  }, 60_000)

  it('finds pages in groups, sees first what was opened last, and is told what can be typed', async () => {
    await page.locator('h1').first().waitFor()
    await page.keyboard.press('Control+k')
    const search = page.getByRole('combobox', { name: 'Search or go to' })
    const groups = page.getByRole('listbox').getByRole('group')
    await search.waitFor()
    expect(await groups.first().getAttribute('aria-labelledby')).toBeTruthy()
    await page.getByRole('group', { name: 'Go to' }).getByRole('option', { name: 'Team' }).waitFor()
    expect(await page.getByRole('group', { name: 'Recent' }).count()).toBe(0)
    await page.keyboard.type('team')
    await page.keyboard.press('Enter')
    await page.waitForURL(addressOf('/team'))
    await noDialog()
    await page.keyboard.press('Control+k')
    await search.waitFor()
    expect(await groups.first().getByRole('option').allInnerTexts()).toEqual([
      expect.stringContaining('Team'),
    ])
    await page.getByRole('group', { name: 'Recent' }).waitFor()
    expect(await browser.axe(page)).toEqual([])
    await page.keyboard.type('no such thing')
    await page.getByRole('dialog').getByText('Type the name of a page').first().waitFor()
    await page.keyboard.press('Escape')
    await noDialog()
  }, 60_000)

  it('sees the open account with the role there, and opens another one', async () => {
    const [anna] = await t.execute<{ id: number }>('select id from member where email = ?', [EMAIL])
    const other = { accountId: t.otherAccountId, memberId: anna?.id ?? 0, role: 'reader' } as const
    await putMembership(t.em(), other)
    await page.goto(addressOf(''))
    const account = page.getByRole('button', { name: /^Account and settings/ })
    await account.getByText('Owner').waitFor()
    await keyboard.press(account)
    const reader = page.getByRole('dialog').getByRole('link', { name: /Reader/ })
    await reader.waitFor()
    await page.keyboard.press('Escape')
    await until(() => account.evaluate((one) => one === document.activeElement), 5_000)
    await page.keyboard.press('Enter')
    await keyboard.press(reader)
    await page.waitForURL(`**/accounts/${t.otherAccountId}`)
    await account.getByText('Reader').waitFor()
    await page.goto(addressOf(''))
  }, 60_000)

  it('adds a folder and a video', async () => {
    await leaveFor(page, addressOf('/videos'))
    await keyboard.press(button('New folder'))
    await keyboard.type(page.getByRole('textbox', { name: 'New folder' }), 'Lessons')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Lessons 0' }).waitFor()
    await keyboard.press(link('Add video'))
    await keyboard.type(field('Link to the file'), `${siteUrl}/lesson.mp4`)
    await keyboard.type(page.getByRole('dialog').getByLabel('Title'), 'First lesson')
    await keyboard.press(inDialog('Add by link'))
    await page.getByRole('main').getByText('First lesson').first().waitFor()
  }, 60_000)

  it('confirms the identity, creates an API key, says that it is saved, and revokes it', async () => {
    await t.execute("update dashboard_session set elevated_until = now() - interval '1 minute'")
    await leaveFor(page, addressOf('/developers/keys'))
    await keyboard.press(link('Create key'))
    await keyboard.type(page.getByRole('textbox', { name: 'Name' }), 'Website')
    await keyboard.press(inDialog('Create key'))
    await keyboard.type(password(), PASSWORD)
    await keyboard.press(inDialog('Show the password'), 'Space')
    expect(await password().inputValue()).toBe(PASSWORD)
    expect(await password().getAttribute('type')).toBe('text')
    await keyboard.press(inDialog('Confirm'))
    await keyboard.press(inDialog('I have saved it'))
    await noDialog()
    await keyboard.press(button('Revoke').first())
    await keyboard.type(field('Type Website to confirm'), 'Website')
    await keyboard.press(inDialog('Revoke key'))
    await page.getByText('Revoked').first().waitFor()
  }, 60_000)

  it('adds an endpoint, and saves its secret', async () => {
    await leaveFor(page, addressOf('/developers/webhooks'))
    await keyboard.press(link('Add endpoint'))
    await keyboard.type(field('Address'), `${siteUrl}/hook`)
    await keyboard.press(inDialog('Add endpoint'))
    await keyboard.press(inDialog('I have saved it'))
    await noDialog()
    await page.getByRole('main').getByText('site.test').first().waitFor()
  }, 60_000)

  it('invites a person', async () => {
    await leaveFor(page, addressOf('/team'))
    await keyboard.press(link('Invite'))
    await keyboard.type(field('E-mail address'), 'berta@site.example')
    await keyboard.press(inDialog('Create link'))
    await keyboard.press(inDialog('I have saved it'))
    await noDialog()
    await page.getByRole('main').getByText('berta@site.example').waitFor()
  }, 60_000)

  it('adds captions from a file, and deletes them', async () => {
    await leaveFor(page, addressOf(`/videos/${videoId}/captions`))
    const chosen = page.waitForEvent('filechooser')
    await keyboard.press(button('Choose a file'))
    const text = 'WEBVTT\n\n00:00.000 --> 00:02.000\nEins\n'
    const file = { name: 'lesson.de.vtt', mimeType: 'text/vtt', buffer: Buffer.from(text) }
    await (await chosen).setFiles(file)
    await keyboard.press(button('Add captions'))
    const item = page.getByRole('listitem').filter({ hasText: 'Deutsch' })
    await keyboard.press(item.getByRole('button', { name: 'Delete' }))
    await keyboard.type(field('Type de to confirm'), 'de')
    await keyboard.press(inDialog('Delete captions'))
    await item.waitFor({ state: 'detached' })
  }, 60_000)

  it('is asked before a page with changes is left, and saves allowed domains', async () => {
    await leaveFor(page, addressOf('/settings/domains'))
    await keyboard.type(field('Allowed domains'), 'site.example')
    await keyboard.press(page.getByRole('link', { name: 'Usage' }))
    await keyboard.press(inDialog(/Stay/))
    await noDialog()
    await keyboard.press(button('Save'))
    await page.getByText('Saved', { exact: true }).waitFor()
  }, 60_000)

  it('copies the code to embed a video, and hears that it is copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await leaveFor(page, addressOf(`/videos/${videoId}`))
    await keyboard.press(link('Embed'))
    await page.getByText('<iframe').first().waitFor()
    await keyboard.press(page.getByRole('main').getByRole('button', { name: /^Copy/ }).first())
    await said('Copied')
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('<iframe')
  }, 60_000)

  it('is led by the overview to the failing endpoint and to why a video failed', async () => {
    await insertFailures()
    await leaveFor(page, addressOf(''))
    await keyboard.press(link(/failing\.example/))
    await page.getByRole('heading', { level: 1, name: /failing\.example/ }).waitFor()
    await leaveFor(page, addressOf(''))
    await keyboard.press(link(/Broken lesson/))
    await arrived('Broken lesson')
    await page.getByRole('main').getByText('The link responded with 403.').first().waitFor()
  }, 60_000)

  it('moves twenty videos into a folder', async () => {
    await insertVideos('Walk', 20)
    await leaveFor(page, addressOf('/videos?q=Walk'))
    await keyboard.press(page.getByRole('checkbox', { name: 'Select Walk 20' }), 'Space')
    await page.keyboard.press('Control+a')
    await said('20 videos selected')
    await keyboard.press(button('Move'))
    await keyboard.to(page.getByRole('combobox', { name: 'Folder' }))
    await page.keyboard.type('Lessons')
    await page.keyboard.press('Enter')
    await noDialog()
    const moved = await t.execute("select id from video where title like 'Walk%' and folder_id > 0")
    expect(moved).toHaveLength(20)
  }, 60_000)

  it('finds a video of last month behind the newer ones', async () => {
    const [old = ''] = await insertVideos('September talk', 1)
    await t.execute("update video set created_at = now() - interval '31 days' where id = ?", [old])
    await insertVideos('Newer', 6)
    await page.goto(addressOf('/videos'))
    await keyboard.press(link('Next page'))
    await keyboard.press(link(/September talk/))
    await arrived(/September talk/)
  }, 60_000)

  it('deletes a video', async () => {
    await page.goto(addressOf(`/videos/${videoId}`))
    await keyboard.press(button('Actions'))
    await page.getByRole('menuitem').first().waitFor()
    await page.keyboard.press('ArrowUp')
    await keyboard.press(page.getByRole('menuitem', { name: 'Delete' }))
    await keyboard.to(page.getByRole('dialog').getByRole('textbox'))
    const [row] = await t.execute<{ title: string }>('select title from video where id = ?', [
      videoId,
    ])
    await page.keyboard.type(row?.title ?? '')
    await keyboard.press(inDialog(/Delete/))
    await page.waitForURL('**/videos')
    const complaints = await browser.complaints(page)
    // The browser logs the refusal that asks to confirm the identity.
    expect(complaints.filter((text) => !text.includes('status of 403'))).toEqual([])
  }, 60_000)
})
