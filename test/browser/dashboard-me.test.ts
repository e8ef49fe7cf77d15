import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertVideo as insertNewVideo } from '../../db/videos/write-videos.ts'
import {
  cookieName,
  openDashboardFixture,
  PASSWORD,
  type DashboardFixture,
} from '../fixtures/dashboard.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { itOfAll } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { replaceCredentials } from './credentials-of-extensions.ts'
import { checkViews, PLAIN, VIEWS_WITHIN_MS, type View } from './dashboard-looks.ts'
import { hastenTimers } from './hasten-timers.ts'
import { expectToAskBeforeLoss } from './secret-at-risk.ts'
import { openWatchedBrowser, type Look, type WatchedBrowser } from './watched-browser.ts'

/** A name that would turn the text around it if it were not isolated, and that is no markup. */
const HOSTILE_NAME = '<img src=x onerror=alert(1)> \u202Egnp.exe'

let fixture: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  fixture = await openDashboardFixture(() => ({ webRouter }))
  await fixture.call('editor', 'PATCH', '/me', { body: { name: HOSTILE_NAME } })
  await fixture.execute('insert into failed_sign_in (member_id, count) values (?, 12)', [
    fixture.members.owner.id,
  ])
  await fixture.call('owner', 'PATCH', '/settings', {
    body: { theme: 'light', version: await settingsVersion() },
  })
  await invite({ role: 'reader', email: 'ben@site.example' })
  await invite({ role: 'editor' })
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await fixture?.close()
})

const settingsVersion = async () =>
  Number((await fixture.call('owner', 'GET', '/settings')).json.version)

const invite = (body: object) => fixture.call('owner', 'POST', '/invitations', { body })

const base = (): string => `${fixture.dashboardBase}/accounts/${fixture.accountId}`

/** A new session of a member, as a cookie; a stale one has to confirm. */
async function cookieOf(memberId: number, isStale = false) {
  const value = await fixture.startSession(memberId, { isStale })
  return { name: cookieName(fixture.dashboardBase), value }
}

async function open(path: string, options: { isStale?: boolean; look?: Look } = {}) {
  const cookie = await cookieOf(fixture.members.owner.id, options.isStale)
  return browser.open(base() + path, options.look ?? PLAIN, cookie)
}

/** Expects that nothing was complained about except the refusals that the test has caused. */
async function expectClean(page: Page, refusals: RegExp): Promise<void> {
  const complaints = await browser.complaints(page)
  expect(complaints.filter((text) => !refusals.test(text))).toEqual([])
}

async function closeClean(page: Page, refusals: RegExp = /status of 40[13]/): Promise<void> {
  await expectClean(page, refusals)
  await browser.leave(page)
}

const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

/** The field of the palette, while it is open. */
const palette = (page: Page) => page.locator('[role=combobox]:focus')

const VIEWS: View[] = [
  { name: 'team', path: '/team', shown: 'tbody tr' },
  { name: 'team invite', path: '/team/invite', shown: '[role=dialog] form' },
  { name: 'audit', path: '/audit', shown: 'tbody tr' },
  { name: 'audit without a match', path: '/audit?subject=nothing', shown: 'h2' },
  { name: 'me', path: '/me', shown: 'main [role=alert]' },
  {
    name: 'palette',
    path: '/team',
    shown: 'tbody tr',
    async open(page) {
      await page.keyboard.press('Control+k')
      await page.locator('[role=option]').first().waitFor()
    },
  },
  {
    name: 'shortcuts',
    path: '/team',
    shown: 'tbody tr',
    async open(page) {
      await page.keyboard.press('?')
      await page.locator('[role=dialog] dl').waitFor()
    },
  },
]

describe('the pages about the team, the log and oneself', () => {
  itOfAll(
    'fit, break no rule of axe and obey the policy',
    async () => {
      const cookie = await cookieOf(fixture.members.owner.id)
      await checkViews(VIEWS, { browser, base: base(), cookie })
    },
    VIEWS_WITHIN_MS,
  )
})

describe('an operation that requires fresh authentication', () => {
  it('asks for the password in a dialog, and is repeated by itself', async () => {
    const page = await open('/team', { isStale: true })
    const role = page.getByLabel('Role of reader@site.example')
    await role.selectOption('editor')
    await confirmation(page).waitFor()
    expect(await browser.axe(page)).toEqual([])
    await page.getByLabel('Password', { exact: true }).fill('a wrong password')
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText('The password is wrong.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText('reader@site.example is now: Editor').waitFor()
    await confirmation(page).waitFor({ state: 'hidden' })
    expect(await role.inputValue()).toBe('editor')
    // Confirmed for ten minutes.
    await role.selectOption('reader')
    await page.getByText('reader@site.example is now: Reader').waitFor()
    await closeClean(page)
  }, 60_000)

  itOfAll(
    'asks once for several requests, and does nothing if the member cancels',
    async () => {
      const page = await open('/team', { isStale: true })
      const refused = page.waitForResponse((response) => response.status() === 403)
      await page.getByRole('button', { name: 'Withdraw' }).nth(1).waitFor()
      // Both in one task of the page: the confirmation covers the buttons as soon as the first request is refused.
      await page.getByRole('button', { name: 'Withdraw' }).evaluateAll((buttons) => {
        for (const button of buttons)
          button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
      })
      await refused
      await confirmation(page).waitFor()
      await page.keyboard.press('Escape')
      await confirmation(page).waitFor({ state: 'hidden' })
      await page.getByText('Not confirmed, so nothing was changed.').first().waitFor()
      expect(await page.getByRole('button', { name: 'Withdraw' }).count()).toBe(2)
      await closeClean(page)
    },
    60_000,
  )

  it('is confirmed by a passkey that was added before', async () => {
    const { id } = await fixture.insertMember('passkey@site.example')
    const cookie = await cookieOf(id)
    const page = await browser.open(`${base()}/me`, PLAIN, cookie)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR })
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
    for (const by of ['no result', 'nothing'] as const) {
      await replaceCredentials(page, by)
      const challenge = page.waitForResponse('**/me/passkeys/challenge')
      await page.getByRole('button', { name: 'Continue' }).click()
      await challenge
      await page.getByText('A password manager extension').waitFor()
      await page.evaluate('delete navigator.credentials')
    }
    expect(await page.getByText('The dashboard is not responding.').count()).toBe(0)
    await replaceCredentials(page, 'plain objects')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Rename Laptop' }).waitFor()
    await fixture.execute(
      'update dashboard_session set elevated_until = now() where member_id = ?',
      [id],
    )
    await page.getByRole('button', { name: 'Rename Laptop' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Phone')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('button', { name: 'Rename Phone' }).waitFor()
    // A new password keeps the passkey that has just confirmed.
    await page.reload()
    expect(await page.getByLabel('Remove my passkeys').isChecked()).toBe(true)
    await page.getByLabel('New password').fill('another good password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The password was changed').waitFor()
    await page.getByRole('button', { name: 'Rename Phone' }).waitFor()
    await closeClean(page)
  }, 60_000)
})

const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

describe('the passkeys of a member', () => {
  it('name the setting if the page has another address than the dashboard', async () => {
    const other = fixture.dashboardBase.replace('localhost', '127.0.0.1')
    const cookie = await cookieOf(fixture.members.reader.id)
    const page = await browser.open(`${other}/accounts/${fixture.accountId}/me`, PLAIN, cookie)
    await page
      .getByText(`Passkeys work at ${fixture.dashboardBase}, but this page is at ${other}.`)
      .waitFor()
    await page.getByText('set DASHBOARD_BASE_URL to').waitFor()
    expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
    await closeClean(page)
  }, 60_000)
})

describe('an invitation', () => {
  it('shows its link once, asks before it is lost, and opens the page to join', async () => {
    const page = await open('/team')
    await page.getByRole('link', { name: 'Invite' }).click()
    await page.getByLabel('E-mail address').fill('cara@site.example')
    await page.getByRole('radio', { name: 'Reader' }).check()
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = page.getByRole('dialog').locator('code')
    await link.waitFor()
    const url = (await link.textContent()) ?? ''
    expect(await browser.axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expectToAskBeforeLoss(page)
    expect(await link.textContent()).toBe(url)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('cell', { name: 'cara@site.example' }).waitFor()
    expect(await page.content()).not.toContain(url)
    const guest = await browser.open(url, PLAIN)
    await guest.getByLabel('Password').waitFor()
    await closeClean(guest)
    await closeClean(page)
  }, 60_000)
})

describe('a session', () => {
  it('that is ended in the list leads its browser to the sign-in', async () => {
    const { id } = await fixture.insertMember('sessions@site.example')
    const [here, there] = [
      await browser.open(`${base()}/me`, PLAIN, await cookieOf(id)),
      await browser.open(`${base()}/team`, PLAIN, await cookieOf(id)),
    ]
    await here.reload()
    await here.getByRole('button', { name: /^Sign out: / }).click()
    await here.getByText('The session has ended').waitFor()
    await there.goto(`${base()}/videos`)
    await there.waitForURL('**/sign-in?next=*')
    await closeClean(there)
    await closeClean(here)
  }, 60_000)

  itOfAll(
    'that another browser ends while something is entered keeps the page, with a link to the sign-in',
    async () => {
      const { id, email } = await fixture.insertMember('typing@site.example')
      const page = await browser.open(`${base()}/me`, PLAIN, await cookieOf(id))
      await page.getByLabel('Name', { exact: true }).fill('Dora')
      const other = await browser.open(`${base()}/me`, PLAIN, await cookieOf(id))
      await other.getByRole('button', { name: 'Sign out everywhere else' }).click()
      await other
        .getByRole('button', { name: 'Sign out everywhere else' })
        .waitFor({ state: 'hidden' })
      await other.reload()
      await other.getByRole('heading', { name: 'Your sign-in' }).waitFor()
      await closeClean(other)
      await page.getByRole('button', { name: 'Save' }).click()
      const [signIn] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('status').getByRole('link', { name: 'Sign in in a new tab' }).click(),
      ])
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Dora')
      await signIn.locator('[name=email]').fill(email)
      await signIn.locator('[name=password]').fill(PASSWORD)
      await signIn.getByRole('button', { name: 'Sign in', exact: true }).click()
      await signIn.getByRole('heading', { name: 'Your sign-in' }).waitFor()
      await signIn.close()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved', { exact: true }).waitFor()
      await closeClean(page)
    },
    60_000,
  )

  itOfAll(
    'that ends while a dialog is open keeps the dialog, also when the list behind it is refreshed',
    async () => {
      const { id } = await fixture.insertMember('adding@site.example', 'editor')
      const page = await browser.open(`${base()}/videos`, PLAIN, await cookieOf(id))
      await page.clock.install()
      await page.goto(`${base()}/videos/add`)
      const link = page.getByLabel('Link to the file')
      await link.fill('https://127.0.0.1/video.mp4')
      await fixture.execute('delete from dashboard_session where member_id = ?', [id])
      const status = page.getByRole('status').getByText('You are signed out.')
      await waitFor('the list to be refreshed', async () => {
        await page.clock.runFor(10_000)
        return status.isVisible()
      })
      expect(await link.inputValue()).toBe('https://127.0.0.1/video.mp4')
      await page.context().addCookies([{ ...(await cookieOf(id)), url: fixture.dashboardBase }])
      await page.getByRole('button', { name: 'Add by link' }).click()
      await page.locator('[type=url][aria-invalid=true]').waitFor()
      await expectClean(page, /status of 4(01|22)/)
      await page.context().close()
    },
    60_000,
  )
})

describe('an old tab after another member has signed in', () => {
  it('keeps what was entered, says who is signed in, and saves nothing in that name', async () => {
    const { members } = fixture
    const { email, id } = await fixture.insertMember('old-tab@site.example', 'editor')
    await insertVideo('Old tab', 'aaaaaaaaaaaaaaaaaaa2')
    const videos = `/videos/aaaaaaaaaaaaaaaaaaa2`
    const page = await browser.open(`${base()}${videos}?edit=1`, PLAIN, await cookieOf(id))
    await page.getByRole('textbox', { name: 'Description' }).fill('A text that took an hour')
    const other = { ...(await cookieOf(members.reader.id)), url: fixture.dashboardBase }
    await page.context().addCookies([other])
    await page.getByRole('button', { name: 'Save' }).click()
    const notice = page.getByRole('status')
    await notice.getByText(`${members.reader.email} is now signed in in this browser.`).waitFor()
    expect(await browser.axe(page)).toEqual([])
    expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe(
      'A text that took an hour',
    )
    const stored = await fixture.execute('select description from video where title = ?', [
      'Old tab',
    ])
    expect(stored).toEqual([{ description: '' }])
    const [signIn] = await Promise.all([
      page.context().waitForEvent('page'),
      notice.getByRole('link', { name: 'Sign in in a new tab' }).click(),
    ])
    await signIn.locator('[name=email]').fill(email)
    await signIn.locator('[name=password]').fill(PASSWORD)
    await signIn.getByRole('button', { name: 'Sign in', exact: true }).click()
    await signIn.waitForURL(`${base()}${videos}?edit=1`)
    await signIn.close()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A text that took an hour', { exact: true }).waitFor()
    await notice.getByText('is now signed in in this browser.').waitFor({ state: 'detached' })
    await closeClean(page)
  }, 60_000)
})

describe('a role', () => {
  it('that is lowered while something is entered keeps the form and the text', async () => {
    const { id } = await fixture.insertMember('lowered@site.example', 'editor')
    await insertVideo('Lowered', 'aaaaaaaaaaaaaaaaaaa3')
    const address = `${base()}/videos/aaaaaaaaaaaaaaaaaaa3?edit=1`
    const page = await browser.open(address, PLAIN, await cookieOf(id))
    await page.getByRole('textbox', { name: 'Description' }).fill('Half a page')
    await fixture.call('owner', 'PATCH', `/members/${id}`, { body: { role: 'reader' } })
    const me = page.waitForResponse('**/me')
    await page.getByRole('button', { name: 'Save' }).click()
    await me
    await page.getByText('Your role in this account does not allow this.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe(
      'Half a page',
    )
    await closeClean(page)
  }, 60_000)

  it('of a member who was removed meanwhile is refused with that reason', async () => {
    const { id, email } = await fixture.insertMember('removed@site.example')
    const page = await open('/team')
    const role = page.getByLabel(`Role of ${email}`)
    await role.waitFor()
    await fixture.call('owner', 'DELETE', `/members/${id}`)
    await role.selectOption('editor')
    await page.getByText('This member is no longer in the account.').waitFor()
    await closeClean(page, /status of 404/)
  }, 60_000)

  it('that another owner changes or takes back takes effect in the open page', async () => {
    const { id } = await fixture.insertMember('leaving@site.example', 'owner')
    const name = cookieName(fixture.dashboardBase)
    const cookie = { name, value: await fixture.startSession(id) }
    const page = await browser.open(`${base()}/team`, PLAIN, cookie)
    const role = page.getByLabel('Role of reader@site.example')
    await role.waitFor()
    const body = { role: 'editor' }
    await fixture.call('owner', 'PATCH', `/members/${id}`, { body })
    await role.selectOption('editor')
    await role.waitFor({ state: 'detached' })
    await fixture.call('owner', 'DELETE', `/members/${id}`)
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.waitForURL(`${fixture.dashboardBase}/`)
    await page.getByText('leaving@site.example').waitFor()
    await closeClean(page, /status of 40[134]/)
  }, 60_000)
})

describe('a page with unsaved input', () => {
  itOfAll(
    'asks before it is left',
    async () => {
      const page = await open('/me')
      await page.getByLabel('Name', { exact: true }).fill('Somebody else')
      await page.getByRole('link', { name: 'Team' }).click()
      await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
      expect(await browser.axe(page)).toEqual([])
      await page.keyboard.press('Escape')
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Somebody else')
      await page.getByRole('link', { name: 'Team' }).click()
      await page.getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('heading', { name: 'Team' }).waitFor()
      await closeClean(page)
    },
    60_000,
  )
})

describe('the keyboard', () => {
  itOfAll(
    'leads from the palette to a page and to a video',
    async () => {
      await insertVideo('Opening night')
      const page = await open('/team')
      await page.keyboard.press('Control+k')
      await palette(page).waitFor()
      await page.keyboard.type('audit')
      await page.getByRole('option', { name: /Audit log/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Audit log' }).waitFor()
      expect(await page.title()).toBe('Audit log · Reelgate')
      await page.keyboard.press('Control+k')
      await palette(page).waitFor()
      await page.keyboard.type('opening')
      await page.getByRole('option', { name: 'Opening night' }).waitFor()
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Opening night' }).waitFor()
      await closeClean(page)
    },
    60_000,
  )

  itOfAll(
    'acts by single letters outside of fields, unless they are switched off',
    async () => {
      const page = await open('/audit')
      await page.getByLabel('ID of the changed object').press('t')
      await page.waitForURL('**/audit?subject=t')
      await page.locator('h1').click()
      await page.keyboard.press('m')
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Audit log')
      await page.keyboard.press('t')
      await page.getByRole('heading', { name: 'Team' }).waitFor()
      await page.goto(`${base()}/me`)
      await page.getByLabel('One-letter shortcuts').uncheck()
      await page.locator('h1').click()
      await page.keyboard.press('t')
      await page.keyboard.press('?')
      await page.keyboard.press('Control+k')
      await palette(page).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(1)
      expect(await page.title()).toBe('Your sign-in · Reelgate')
      await closeClean(page)
    },
    60_000,
  )
})

describe('the audit log', () => {
  itOfAll(
    'is narrowed by a click on a value, and keeps the filter in the address',
    async () => {
      const page = await open('/audit')
      await page.getByRole('link', { name: 'Invitation: created' }).first().click()
      await page.waitForURL('**/audit?action=invitation.create')
      await page.getByRole('link', { name: 'Member: renamed' }).first().waitFor({ state: 'hidden' })
      await page.reload()
      await page.getByRole('link', { name: 'Invitation: created' }).first().waitFor()
      expect(await page.getByLabel('What', { exact: true }).inputValue()).toBe('invitation.create')
      await closeClean(page)
    },
    60_000,
  )
})

describe('a server that does not respond', () => {
  it('is announced while the page keeps what it shows, and the page recovers by itself', async () => {
    const page = await open('/audit')
    await page.locator('tbody tr').first().waitFor()
    await page.getByRole('link', { name: 'Team' }).click()
    await page.getByText('reader@site.example').waitFor()
    await page.evaluate(hastenTimers)
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Withdraw' }).first().click()
    await page
      .getByRole('status')
      .getByText('The dashboard is not responding.')
      .waitFor({ timeout: 30_000 })
    await page.getByRole('link', { name: 'Team' }).click()
    await page.getByText('reader@site.example').waitFor()
    await page.context().setOffline(false)
    await page
      .getByRole('status')
      .getByText('The dashboard is not responding.')
      .waitFor({ state: 'hidden', timeout: 30_000 })
    await closeClean(page, /ERR_INTERNET_DISCONNECTED/)
  }, 90_000)
})

async function insertVideo(title: string, id = 'aaaaaaaaaaaaaaaaaaa1'): Promise<void> {
  const { accountId } = fixture
  const sourceUrl = 'https://files.example/video.mp4'
  const video = { id, accountId, title, description: '', folderId: null, sourceUrl }
  const rest = { protection: 'clearkey', keepOriginal: false, reservedBytes: 0 } as const
  await insertNewVideo(fixture.em(), Object.assign(video, rest))
}
