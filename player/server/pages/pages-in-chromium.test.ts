import { chromium, type Browser, type BrowserContext, type Frame, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeFailureCode } from '../../../domain/playback-reports/failure-code.ts'
import { axeFaults } from '../../../test/browser/axe.ts'
import { openFramingSite, type FramingSite } from '../../../test/browser/framing-site.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'
import { comeTo, REFUSAL_PAGES, type RefusalPage } from '../../../test/fixtures/refusal-pages.ts'
import { someOf } from '../../../test/infrastructure/every-case.ts'
import { headlessChromiumPath } from '../../../test/infrastructure/services.ts'
import { waitFor } from '../../../test/infrastructure/wait-for.ts'

let fixture: PlayerFixture
let site: FramingSite
let browser: Browser

const appStoreUrl = 'https://store.example/app'
const SIZES = [
  { width: 320, height: 180 },
  { width: 640, height: 360 },
  { width: 1280, height: 720 },
] as const

beforeAll(async () => {
  fixture = await openPlayerFixture(() => ({ appStoreUrl }))
  site = await openFramingSite()
  const executablePath = await headlessChromiumPath()
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
})

afterAll(async () => {
  await browser?.close()
  site?.close()
  await fixture?.close()
})

/** Returns what a page did that it must not do. */
function watch(context: BrowserContext, foreign: string[], errors: string[]): void {
  const own = [site.framing(''), fixture.base].map((url) => new URL(url).host)
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (protocol !== 'data:' && !own.includes(host)) foreign.push(request.url())
  })
  context.on('console', (message) => {
    // Chromium logs the page's status, which is expected.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded with')
    if (message.type() === 'error' && !isStatus) errors.push(message.text())
  })
  context.on('weberror', (error) => errors.push(error.error().message))
}

/** A browser of one language and system, with what its pages did that they must not do. */
interface Visitor {
  page: Page
  foreign: string[]
  errors: string[]
}

const visitors = new Map<string, Promise<Visitor>>()

/** Returns the visitor of a language and a system, who opens one page after another. */
function visitorOf(locale: string, userAgent: string | undefined): Promise<Visitor> {
  const name = `${locale} ${userAgent}`
  const visitor = visitors.get(name) ?? openVisitor(locale, userAgent)
  visitors.set(name, visitor)
  return visitor
}

async function openVisitor(locale: string, userAgent: string | undefined): Promise<Visitor> {
  const options = userAgent === undefined ? {} : { userAgent }
  const context = await browser.newContext({ bypassCSP: true, locale, ...options })
  const [foreign, errors]: [string[], string[]] = [[], []]
  watch(context, foreign, errors)
  return { page: await context.newPage(), foreign, errors }
}

/** Opens `src` in an iframe of another site. */
async function show(kind: RefusalPage, src: string, page: Page): Promise<Frame> {
  await page.goto(site.framing(src, kind.isUnreferred ? 'referrerpolicy="no-referrer"' : ''))
  const frame = await waitFor('the frame', async () =>
    page.frames().find((one) => one.url().startsWith(fixture.base)),
  )
  await frame.waitForSelector('h1')
  return frame
}

/** A frame in which the text of most pages just fits. */
const LOW = { width: 360, height: 202 }

/** The lower edge of what can be pressed, if there is something. */
const BUTTON_BOTTOM =
  '(document.querySelector(".actions") ?? document.querySelector("#copy"))?.getBoundingClientRect().bottom ?? 1'

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

async function check(kind: RefusalPage, src: string, locale: string): Promise<void> {
  const { page, foreign, errors } = await visitorOf(locale, kind.userAgent)
  await page.emulateMedia({ colorScheme: 'light' })
  const frame = await show(kind, src, page)
  if (locale === 'en') expect(await frame.title()).toContain(kind.title)
  const code = await frame.textContent('.report bdi[dir=ltr]')
  expect(decodeFailureCode(code ?? '')?.cause).toBe(kind.cause)
  await page.setViewportSize(LOW)
  // The button that copies the details is hidden until its script has loaded.
  const bottom = await waitFor('the button', async () => frame.evaluate<number>(BUTTON_BOTTOM))
  expect(bottom).toBeLessThanOrEqual(LOW.height)
  await frame.evaluate('document.querySelector("details")?.setAttribute("open", "")')
  for (const size of SIZES) {
    await page.setViewportSize(size)
    expect(await frame.evaluate(OVERFLOW)).toBe(0)
    const rules = locale === 'en' ? 'all' : 'no contrast'
    if (size === SIZES[0]) expect(await axeFaults(frame, rules)).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  // The colours are the same in every language.
  if (locale === 'en') expect(await axeFaults(frame, 'look')).toEqual([])
  expect(foreign).toEqual([])
  expect(errors).toEqual([])
}

/** The pages that are seen from right to left too. */
const MIRRORED = new Set(someOf(REFUSAL_PAGES, 3))

describe('a page with the reason why a video does not play, in an iframe, in two languages', () => {
  it.each(REFUSAL_PAGES)(
    'fits every width, loads nothing from other hosts and violates no rule of axe: $name',
    async (kind) => {
      const src = await comeTo(kind, fixture, site.host)
      const locales = MIRRORED.has(kind) ? ['en', 'ar'] : ['en']
      await Promise.all(locales.map((locale) => check(kind, src, locale)))
    },
    120_000,
  )
})

describe('a page with advice for the owner of the site', () => {
  const blocked = REFUSAL_PAGES.find(({ name }) => name === 'domain-blocked') as RefusalPage

  it('copies the details for a mail to support, without the query of its address', async () => {
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    const src = new URL(await comeTo(blocked, fixture, site.host))
    src.searchParams.set('vt', 'secret')
    await page.goto(site.framing(src.href, 'allow="clipboard-write"'))
    const frame = await waitFor('the frame', async () =>
      page.frames().find((one) => one.url().startsWith(fixture.base)),
    )
    await frame.getByRole('button', { name: 'Copy details' }).click()
    await frame.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toContain(await frame.title())
    expect(copied).toMatch(/Request req_\w+/)
    expect(copied).toContain(`Code ${await frame.textContent('.report bdi')}`)
    expect(copied).toContain(src.origin + src.pathname)
    expect(copied).not.toContain('secret')
    await context.close()
  }, 60_000)
})
