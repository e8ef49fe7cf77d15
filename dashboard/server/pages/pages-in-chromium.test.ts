import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInvitation } from '../../../commands/members/invitations.ts'
import { axeFaults } from '../../../test/browser/axe.ts'
import { CHROMIUM_ARGS } from '../../../test/browser/pooled-contexts.ts'
import { cookieName, openDashboardFixture, PASSWORD } from '../../../test/fixtures/dashboard.ts'
import { loadBundledWeb } from '../../../test/fixtures/web.ts'
import { someOf } from '../../../test/infrastructure/every-case.ts'
import { headlessChromiumPath } from '../../../test/infrastructure/services.ts'

type Opened = Awaited<ReturnType<typeof openDashboardFixture>>

/** A host that is not on this machine for the browser, so that plain http is not trusted. */
const LAN_HOST = 'dashboard.test'

let local: Opened
let lan: Opened
let browser: Browser

beforeAll(async () => {
  local = await openDashboardFixture()
  const webRouter = await loadBundledWeb()
  lan = await openDashboardFixture((port) => ({
    dashboardBase: `http://${LAN_HOST}:${port}`,
    webRouter,
  }))
  const executablePath = await headlessChromiumPath()
  const args = [...CHROMIUM_ARGS, `--host-resolver-rules=MAP ${LAN_HOST} 127.0.0.1`]
  browser = await chromium.launch({ executablePath, args })
})

afterAll(async () => {
  await browser?.close()
  await local?.close()
  await lan?.close()
})

const inviteTo = async (t: Opened, email: string | null = null): Promise<string> => {
  const by = { kind: 'operator', id: null, name: 'root' } as const
  const invitation = { accountId: t.accountId, role: 'owner', email, by } as const
  return (await createInvitation(t.em(), invitation)).token
}

/** Collects what a page reports as an error; a status that is expected is none. */
function watch(context: BrowserContext): string[] {
  const errors: string[] = []
  context.on('console', (message) => {
    const isStatus = message.text().startsWith('Failed to load resource: the server responded with')
    if (message.type() === 'error' && !isStatus) errors.push(message.text())
  })
  context.on('weberror', (error) => errors.push(error.error().message))
  return errors
}

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** By how much a page has moved on its own, as Chromium counts it (CLS). */
const SHIFTED = `new Promise((resolve) => {
  let sum = 0
  const add = ({ hadRecentInput, value }) => { if (!hadRecentInput) sum += value }
  new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
})`

/** What axe finds on a page, and by how much it is too wide, on a dark phone and in a wide, light window. */
async function faultsOf(page: Page, locale: string): Promise<string[]> {
  const found: string[] = []
  // The colours are the same in every language.
  const looks = [
    { width: 360, colorScheme: 'dark', rules: locale === 'en' ? 'all' : 'no contrast' },
    { width: 1440, colorScheme: 'light', rules: locale === 'en' ? 'look' : null },
  ] as const
  for (const { width, colorScheme, rules } of looks) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    if (rules) found.push(...(await axeFaults(page, rules)))
    const overflow = Number(await page.evaluate(OVERFLOW))
    if (overflow > 0) found.push(`${overflow} px too wide at ${width} px`)
  }
  return found
}

describe.each(someOf(['ar', 'en', 'de', 'es', 'fr', 'pt'], 6))('the pages in %s', (locale) => {
  it('fit both widths and themes and violate no rule', async () => {
    const context = await browser.newContext({ locale })
    const errors = watch(context)
    const page = await context.newPage()
    const link = await inviteTo(local)
    const open = async (path: string) => void (await page.goto(local.dashboardBase + path))
    const token = await local.startSession(local.members.owner.id)
    const shown: Record<string, () => Promise<void>> = {
      'sign-in': () => open('/sign-in'),
      welcome: () => open(`/welcome#${link}`),
      'welcome without its token': () => open('/welcome?again'),
      'welcome with problems': async () => {
        await open(`/welcome#${link}`)
        await page.fill('[name=email]', 'a@b')
        await page.fill('[name=name]', ' ')
        await page.fill('[name=password]', PASSWORD)
        await page.click('[action="/welcome"] button')
        await page.waitForSelector('.problem')
      },
      'welcome with a link that was used': async () => {
        await open(`/welcome?used#${'a'.repeat(43)}`)
        await page.waitForSelector('.invitation p')
        await page.waitForSelector('[name=email]', { state: 'detached' })
      },
      'not found': () => open('/nothing'),
      'joining an account': async () => {
        const { hostname, port } = new URL(local.dashboardBase)
        await context.addCookies([
          { name: `reelgate-${port}`, value: token, domain: hostname, path: '/' },
        ])
        await open(`/welcome?join#${link}`)
      },
    }
    const faults: Record<string, string[]> = {}
    for (const [name, show] of Object.entries(shown)) {
      await show()
      const found = await faultsOf(page, locale)
      if (found.length > 0) faults[name] = found
    }
    expect(faults).toEqual({})
    expect(errors).toEqual([])
    expect(await page.getAttribute('html', 'dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr')
    await context.close()
  })
})

describe.each([
  ['on localhost', () => local],
  ['over plain http in a network, where browsers send no Sec-Fetch-Site', () => lan],
])('a person %s', (_where, fixture) => {
  it('opens the owner’s link, calls the API from the page, signs out and in again', async () => {
    const t = fixture()
    const context = await browser.newContext()
    const errors = watch(context)
    const page = await context.newPage()
    const email = `j\u00F6rg-${crypto.randomUUID()}@m\u00FCnchen.example`
    await page.goto(`${t.dashboardBase}/welcome#${await inviteTo(t, email)}`)
    expect(await page.isVisible('[name=link]')).toBe(false)
    await page.getByText('The operator of this installation').waitFor()
    expect(await page.inputValue('[name=email]')).toBe(email)
    expect(await page.evaluate('document.activeElement.name')).toBe('name')
    const strengthOf = async (password: string) => {
      await page.fill('[name=password]', password)
      return page.textContent('.strength')
    }
    expect(await strengthOf('short')).toBe('Too short')
    for (const easy of ['abcabcabcabcabc', '1234567890123', 'my reelgate 77', 'password1234'])
      expect(await strengthOf(easy)).toBe('Easy to guess')
    expect(await strengthOf('tulip-harbor')).toBe('Fair')
    expect(await strengthOf(PASSWORD)).toBe('Strong')
    expect(await page.evaluate<number>(SHIFTED)).toBe(0)
    await page.fill('[name=email]', email)
    await page.fill('[name=name]', 'Anna')
    await page.click('[action="/welcome"] button')
    await page.waitForURL(`${t.dashboardBase}/accounts/${t.accountId}`)
    const read = `fetch('/api/accounts/${t.accountId}/me').then((response) => response.json())`
    expect(await page.evaluate(read)).toMatchObject({ email })
    expect(await page.evaluate('document.cookie')).toBe('')
    const body = JSON.stringify({ name: 'Berta' })
    const headers = JSON.stringify({ 'Content-Type': 'application/json' })
    const write = `fetch('/api/accounts/${t.accountId}/me', { method: 'PATCH', headers: ${headers},
      body: '${body}' }).then((response) => response.json())`
    expect(await page.evaluate(write)).toMatchObject({ name: 'Berta' })
    await page.goto(`${t.dashboardBase}/welcome`)
    await page.click('form[action="/sign-out"] button')
    await page.waitForURL(`${t.dashboardBase}/sign-in?signed-out`)
    await page.getByText('You are signed out.').waitFor()
    expect(await page.evaluate<number>(SHIFTED)).toBe(0)
    const signIn = async () => {
      await page.fill('[name=email]', email)
      await page.fill('[name=password]', PASSWORD)
      await page.click('[action="/sign-in"] button')
    }
    await signIn()
    await page.waitForURL(`${t.dashboardBase}/accounts/${t.accountId}`)
    await context.clearCookies()
    await page.goto(`${t.dashboardBase}/accounts/${t.accountId}/audit`)
    await signIn()
    await page.waitForURL(`${t.dashboardBase}/accounts/${t.accountId}/audit`)
    // A forgotten password: one page says what the link replaces, and takes the new one.
    await context.clearCookies()
    await page.goto(`${t.dashboardBase}/welcome?reset#${await inviteTo(t, email)}`)
    await page.getByText('This link sets a new password for').waitFor()
    await page.getByText('Sessions to be ended: ').waitFor()
    await page.fill('[name=name]', 'Anna')
    await page.fill('[name=password]', `${PASSWORD}, a new one`)
    await page.getByRole('button', { name: 'Replace the sign-in' }).click()
    await page.waitForURL(`${t.dashboardBase}/accounts/${t.accountId}`)
    expect(errors).toEqual([])
    await context.close()
  })
})

describe('the app over plain http in a network', () => {
  it('reads, writes and copies without what browsers keep for https', async () => {
    const context = await browser.newContext({ locale: 'en' })
    const errors = watch(context)
    const value = await lan.startSession(lan.members.owner.id)
    const cookie = { name: cookieName(lan.dashboardBase), value, url: lan.dashboardBase }
    await context.addCookies([cookie])
    const page = await context.newPage()
    await page.goto(`${lan.dashboardBase}/accounts/${lan.accountId}/developers`)
    expect(await page.evaluate('isSecureContext')).toBe(false)
    await page
      .getByRole('button', { name: /^Copy: / })
      .first()
      .click()
    await page.getByText('Copied', { exact: true }).first().waitFor({ state: 'attached' })
    await page.goto(`${lan.dashboardBase}/accounts/${lan.accountId}/videos/folders`)
    const folder = page.getByRole('dialog').getByLabel('New folder')
    await folder.focus()
    await page.keyboard.press('Control+v')
    expect(await folder.inputValue()).not.toBe('')
    await folder.fill('Spring')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByLabel('Name of the folder Spring').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })
})

describe('another site', () => {
  it('cannot post a form, and cannot frame the dashboard', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const token = await local.startSession(local.members.owner.id)
    const { hostname, port } = new URL(local.dashboardBase)
    await context.addCookies([
      { name: `reelgate-${port}`, value: token, domain: hostname, path: '/', sameSite: 'Lax' },
    ])
    await page.route('https://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${local.dashboardBase}/sign-out"><button>x</button></form>
          <iframe src="${local.dashboardBase}/sign-in"></iframe>`,
      }),
    )
    await page.goto('https://evil.example/')
    const frame = page.frames().find((one) => one.parentFrame() !== null)
    expect(await frame?.content().catch(() => '')).not.toContain('name="password"')
    const [posted] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/sign-out')),
      page.click('button'),
    ])
    expect(posted.status()).toBe(403)
    const me = await local.send('GET', `/api/accounts/${local.accountId}/me`, { token })
    expect(me.status).toBe(200)
    await context.close()
  })
})
