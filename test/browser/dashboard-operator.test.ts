import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setOperatorById } from '../../commands/members/operators.ts'
import { WebhookEndpoint } from '../../db/entities/event.ts'
import { Video } from '../../db/entities/video.ts'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { insertVideoFixture } from '../fixtures/video-rows.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { startTestNetwork, type TestNetwork } from '../infrastructure/test-network.ts'
import { checkViews, PLAIN, VIEWS_WITHIN_MS } from './dashboard-looks.ts'
import { openWatchedBrowser, type WatchedBrowser } from './watched-browser.ts'

let fixture: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let network: TestNetwork
let failedId: string
let runningId: string

beforeAll(async () => {
  const [webRouter, opened] = await Promise.all([loadBundledWeb(), startTestNetwork()])
  network = opened
  const { port } = await network.serveHttps(['files.test'], (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': '1000' }).end()
  })
  network.dns.set('files.test', ['127.0.0.1'])
  browser = await openWatchedBrowser()
  fixture = await openDashboardFixture(() => ({ webRouter, egress: network.egress() }))
  const { otherAccountId: accountId, members } = fixture
  const by = { kind: 'operator', id: null, name: 'root' } as const
  await setOperatorById(fixture.em(), members.reader.id, { isOperator: true, by })
  const sourceUrl = `https://files.test:${port}/film.mp4`
  const facts = { accountId, sourceUrl, title: 'A lecture' }
  failedId = await insertVideoFixture(fixture.db, { ...facts, status: 'failed' })
  const errorCode = 'source_unreachable'
  await fixture.em().nativeUpdate(Video, { id: failedId }, { errorCode })
  runningId = await insertVideoFixture(fixture.db, { ...facts, status: 'processing' })
  await fixture.em().insert(WebhookEndpoint, {
    accountId,
    url: 'https://hooks.example/video',
    events: ['video.ready'],
    sealedSecret: 'sealed',
    disabledReason: null,
    failureCount: 7,
  })
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await fixture?.close()
  await network?.close()
})

const base = (): string => `${fixture.dashboardBase}/accounts/${fixture.accountId}`

const cookieOf = async (memberId: number) => ({
  name: cookieName(fixture.dashboardBase),
  value: await fixture.startSession(memberId),
})

describe('the page of operators', () => {
  it(
    'fits, breaks no rule of axe and obeys the policy',
    async () => {
      const cookie = await cookieOf(fixture.members.reader.id)
      const shown = 'section [data-ok=false]'
      const views = [
        { name: 'operator', path: '/operator', shown },
        { name: 'operator failed video', path: `/operator?video=${failedId}`, shown: 'dl code' },
        { name: 'operator running video', path: `/operator?video=${runningId}`, shown: 'dl dd p' },
      ]
      await checkViews(views, { browser, base: base(), cookie })
    },
    VIEWS_WITHIN_MS,
  )

  it('shows what is away beside what responds, and makes a new video from a failed one', async () => {
    const cookie = await cookieOf(fixture.members.reader.id)
    const page = await browser.open(`${base()}/operator`, PLAIN, cookie)
    await page.getByText(/^Not available: /).waitFor()
    await page.getByText('hooks.example').waitFor()
    await page.getByRole('searchbox').fill(failedId)
    await page.getByText('source_unreachable').nth(1).waitFor()
    const card = page.getByRole('region', { name: 'A lecture' })
    await card.getByRole('button', { name: 'Retry as new: A lecture' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Retry as new' }).click()
    await card.getByText(/^The new video is [0-9a-f]{20}/).waitFor()
    await card.getByRole('link', { name: 'Show it' }).click()
    await page.getByText('It is waiting for a worker.', { exact: false }).waitFor()
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  it('is not there for an owner who is no operator', async () => {
    const page = await browser.open(base(), PLAIN, await cookieOf(fixture.members.owner.id))
    await page.goto(`${base()}/operator`)
    await page.getByText('There is nothing at this address.').waitFor()
    expect(await page.getByRole('link', { name: 'Instance' }).count()).toBe(0)
    await browser.leave(page)
  }, 60_000)
})
