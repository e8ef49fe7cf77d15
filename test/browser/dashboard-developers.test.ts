import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { verifyWebhook } from '../../sdk/src/index.ts'
import { itOfAll } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { checkViews, leaveFor, VIEWS_WITHIN_MS, type View } from './dashboard-looks.ts'
import { openDeveloperFixture, type DeveloperFixture } from './developer-fixture.ts'
import { hastenTimers } from './hasten-timers.ts'
import { holdNextResponse } from './lose-response.ts'
import { expectToAskBeforeLoss } from './secret-at-risk.ts'

/** A response that would run as markup, and would turn the text after it. */
const HOSTILE_BODY = '<script>alert(1)</script> \u202Egnp.exe'

let t: DeveloperFixture
let endpointId: number

/** Ids of a delivered, a waiting and a failed delivery. */
const deliveries = { delivered: 0, waiting: 0, failed: 0 }

beforeAll(async () => {
  t = await openDeveloperFixture()
  await t.addKey('Website')
  await t.addKey('Old importer')
  await t.execute(`update api_key set revoked_at = now() where name = 'Old importer'`)
  endpointId = (await t.addEndpoint()).id
  const failing = await t.addEndpoint('/failing')
  const fields = { events: ['video.created', 'video.failed', 'video.deleted'] }
  await t.call('owner', 'PATCH', `/v1/webhook-endpoints/${failing.id}`, { body: fields })
  await t.execute('update webhook_endpoint set failure_count = 7 where id = ?', [failing.id])
  const off = await t.addEndpoint('/off')
  await t.call('owner', 'PATCH', `/v1/webhook-endpoints/${off.id}`, { body: { is_active: false } })
  deliveries.delivered = await deliverOne(200, '{"ok":true}')
  deliveries.failed = await failOne(HOSTILE_BODY)
  deliveries.waiting = await leaveOneWaiting('busy')
  const since = new Date(Date.now() - 3_600_000).toISOString()
  await t.call('owner', 'POST', '/v1/webhook-replays', { body: { since } })
  await t.execute('update webhook_replay set event_count = 840, scanned_count = 500')
}, 120_000)

afterAll(() => t?.close())

/** Sends video.ready to a receiver with this response; resolves to the id of the delivery. */
async function deliverOne(status: number, body: string): Promise<number> {
  t.receiver.respond = (response) =>
    void response
      .writeHead(status, { 'Content-Type': 'text/html', 'X-Request-Id': 'r-17' })
      .end(body)
  await t.announce()
  await t.deliver()
  const [row] = await t.execute<{ id: number }>('select max(id) as id from webhook_delivery')
  return row?.id ?? 0
}

/** Leaves a delivery that has failed for good; resolves to its id. */
async function failOne(body: string): Promise<number> {
  const id = await deliverOne(500, body)
  await t.execute(
    `update webhook_delivery set status = 'failed', next_retry_at = null, completed_at = now(),
       error_code = 'http_error' where id = ?`,
    [id],
  )
  return id
}

/** Leaves a delivery that waits for its third attempt for 28 minutes; resolves to its id. */
async function leaveOneWaiting(body: string): Promise<number> {
  const id = await deliverOne(503, body)
  await t.deliver('manual')
  await t.execute(
    `update webhook_delivery set next_retry_at = now() + interval '28 minutes' where id = ?`,
    [id],
  )
  return id
}

const dialog = '[role=dialog] form'

const views = (): View[] => [
  { name: 'quick start', path: '/developers', shown: 'ol pre span' },
  { name: 'keys', path: '/developers/keys', shown: 'tr[data-gone]' },
  { name: 'endpoints', path: '/developers/webhooks', shown: 'td a[href*="/webhooks/"]' },
  {
    name: 'endpoint with its actions',
    path: `/developers/webhooks/${endpointId}`,
    shown: 'tbody tr',
    open: async (page) => {
      await page.locator('[aria-haspopup=menu]').click()
      await page.locator('[role=menuitem]').first().waitFor()
    },
  },
  { name: 'deliveries', path: '/developers/deliveries', shown: 'td a[href*="/deliveries/"]' },
  {
    name: 'failed delivery',
    path: `/developers/deliveries/${deliveries.failed}`,
    shown: 'section[aria-label] pre',
  },
  { name: 'events', path: '/developers/events', shown: 'section[id] pre span' },
  { name: 'dialog to create a key', path: '/developers/keys/create', shown: dialog },
  { name: 'dialog to add an endpoint', path: '/developers/webhooks/add', shown: `${dialog} code` },
  {
    name: 'dialog to rotate a secret',
    path: `/developers/webhooks/${endpointId}/rotate`,
    shown: dialog,
  },
  {
    name: 'waiting delivery',
    path: `/developers/deliveries/${deliveries.waiting}?attempt=1`,
    shown: 'section[aria-label] pre',
  },
  {
    name: 'deliveries without a match',
    path: '/developers/deliveries?event=payment.paid',
    shown: 'main h3',
  },
  { name: 'replays', path: '/developers/replays', shown: 'tbody tr' },
  { name: 'dialog to start a replay', path: '/developers/replays/start', shown: dialog },
]

const EMPTY_VIEWS: View[] = ['keys', 'webhooks', 'deliveries', 'replays'].map((page) => ({
  name: `no ${page}`,
  path: `/developers/${page}`,
  shown: 'main h3',
}))

describe('the pages for developers', () => {
  itOfAll(
    'fit, break no rule of axe and obey the policy',
    async () => {
      const { browser, members } = t
      const cookie = await t.cookieOf(members.owner.id)
      await checkViews(views(), { browser, base: t.pages(), cookie })
    },
    VIEWS_WITHIN_MS,
  )

  itOfAll(
    'say what will be there while there is nothing',
    async () => {
      await t.execute('delete from api_key where account_id = ?', [t.otherAccountId])
      const cookie = await t.cookieOf(t.members.stranger.id)
      const base = t.pages(t.otherAccountId)
      await checkViews(EMPTY_VIEWS, { browser: t.browser, base, cookie })
    },
    60_000,
  )

  it('name the cause of an error', async () => {
    const page = await t.open('/deliveries/999999')
    await page.getByText('webhook_delivery_not_found').waitFor()
    expect(await t.browser.axe(page)).toEqual([])
    await t.browser.leave(page)
  })

  it('let readers see, and act on nothing', async () => {
    const page = await t.open('/webhooks', 'reader')
    await page.locator('tbody tr').first().waitFor()
    for (const path of ['/webhooks', `/webhooks/${endpointId}`, '/deliveries', '/replays']) {
      if (path !== '/webhooks') await leaveFor(page, `${t.pages()}/developers${path}`)
      await page.locator('tbody tr').first().waitFor()
      await page.locator('#side').getByText('Reader', { exact: true }).waitFor()
      const main = page.locator('main')
      // Which columns are shown, readers choose too.
      const buttons = main.locator('button:not([aria-label="Columns and row height"])')
      expect(await buttons.allTextContents()).toEqual(
        path === `/webhooks/${endpointId}` ? ['', '', ''] : [],
      )
      expect(await main.getByRole('link', { name: /^(Add|Start|Edit|Replay…)/ }).count()).toBe(0)
    }
    await leaveFor(page, `${t.pages()}/developers/keys`)
    await page.getByText('API keys are for owners').waitFor()
    await t.browser.leave(page)
  }, 60_000)
})

describe('an API key', () => {
  it('is shown once in a dialog that only its button closes, works, and is revoked', async () => {
    const page = await t.open('/keys')
    await page.getByRole('link', { name: 'Create key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop')
    const response = await holdNextResponse(page, '*/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await response.arrived
    await expectToAskBeforeLoss(page)
    await response.release()
    const shown = page.getByRole('dialog', { name: 'Your new API key' })
    const key = await shown.locator('pre').first().textContent()
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await expectToAskBeforeLoss(page)
    expect(await t.browser.axe(page)).toEqual([])
    expect(await shown.locator('pre').nth(1).textContent()).toContain(
      `curl '${t.apiBase}/v1/videos'`,
    )
    const call = () =>
      fetch(`${t.apiBase}/v1/videos`, { headers: { Authorization: `Bearer ${key}` } })
    expect((await call()).status).toBe(200)
    await shown.getByRole('button', { name: 'I have saved it' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Shop' })
    await row.waitFor()
    expect(await page.content()).not.toContain(key)
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByLabel('Type Shop to confirm').fill('Shop')
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await row.getByText('Revoked').waitFor()
    expect((await call()).status).toBe(401)
    expect(await t.browser.complaints(page)).toEqual([])
    await t.browser.leave(page)
  }, 60_000)
})

/** Waits until the page of a delivery shows this status. */
const untilStatus = (page: Page, status: string) =>
  page.locator('h1 + span').getByText(status, { exact: true }).waitFor({ timeout: 30_000 })

describe('an endpoint', () => {
  it('is refused at its field, added with its secret shown once, and tested', async () => {
    const page = await t.open('/webhooks/add')
    const address = page.getByLabel('Address')
    await address.fill('https://internal.test/hook')
    await page.getByLabel('Description').fill('Mine')
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    await waitFor(
      'the refusal',
      async () => (await address.getAttribute('aria-invalid')) === 'true',
    )
    expect(await page.getByLabel('Description').inputValue()).toBe('Mine')
    await address.fill(`${t.hookUrl}/mine`)
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const shown = page.getByRole('dialog', { name: 'The signing secret of your endpoint' })
    const secret = (await shown.locator('pre').first().textContent()) ?? ''
    await shown.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('heading', { name: `${t.hookUrl}/mine` }).waitFor()
    t.receiver.respond = (response) => void response.writeHead(204).end()
    t.receiver.received.length = 0
    await page.evaluate(hastenTimers)
    await page.getByRole('button', { name: 'Send test' }).click()
    await untilStatus(page, 'Waiting')
    await t.deliver()
    await untilStatus(page, 'Delivered')
    const [request] = t.receiver.received
    const event = await verifyWebhook(
      request?.body ?? '',
      String(request?.headers['service-signature']),
      secret,
    )
    expect(event.type).toBe('webhook.test')
    await page.locator('pre', { hasText: event.id }).waitFor()
    await t.browser.leave(page)
  }, 90_000)

  itOfAll(
    'keeps what another member has changed while the form was open',
    async () => {
      const { id } = await t.addEndpoint('/shared')
      const page = await t.open(`/webhooks/${id}/edit`)
      await page.getByLabel('Description').fill('Shop')
      const path = `/v1/webhook-endpoints/${id}`
      const body = { events: ['video.failed'], description: 'Press' }
      await t.call('editor', 'PATCH', path, { body })
      const save = page.getByRole('button', { name: 'Save' })
      await save.click()
      const alert = page.getByRole('alert')
      await alert.getByText('Their other changes are in the form now: Events to send.').waitFor()
      expect(await save.isDisabled()).toBe(true)
      expect(await alert.getByRole('radio', { name: 'Theirs Press' }).count()).toBe(1)
      expect(await t.browser.axe(page)).toEqual([])
      await alert.getByRole('radio', { name: 'Mine Shop' }).check()
      await save.click()
      await page.waitForURL(`**/developers/webhooks/${id}`)
      const { json } = await t.call('reader', 'GET', path)
      expect(json).toMatchObject({ description: 'Shop', events: ['video.failed'] })
      await t.call('owner', 'DELETE', path)
      await t.browser.leave(page)
    },
    60_000,
  )

  it('is switched off, given a new secret, and deleted after its host was typed', async () => {
    const { id } = await t.addEndpoint('/to-delete')
    const page = await t.open(`/webhooks/${id}`)
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Switch off')
    await page.getByText('Switched off here or through the API.').waitFor()
    await choose('Rotate secret')
    await page.getByLabel('The old secret also signs').selectOption('hour')
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    const secret = await page.getByRole('dialog').locator('pre').textContent()
    const path = `/v1/webhook-endpoints/${id}/rotate-secret`
    await t.call('owner', 'POST', path, { body: { overlap_seconds: 3_600 } })
    // As it does when the member comes back to the tab.
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
    await page.getByRole('dialog').getByText('This secret has been replaced').waitFor()
    expect(await t.browser.axe(page)).toEqual([])
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'End now' }).click()
    await page.getByRole('button', { name: 'End now' }).waitFor({ state: 'detached' })
    await choose('Delete')
    const { host } = new URL(t.hookUrl)
    await page.getByLabel(`Type ${host} to confirm`).fill(host)
    await page.getByRole('button', { name: 'Delete endpoint' }).click()
    await page.waitForURL('**/developers/webhooks')
    await page.locator('tbody', { hasText: '/failing' }).waitFor()
    expect(await page.locator('tbody').textContent()).not.toContain('/to-delete')
    await t.browser.leave(page)
  }, 60_000)
})

describe('deliveries', () => {
  itOfAll(
    'filter through the address, so Back and reload restore them',
    async () => {
      const page = await t.open('/deliveries')
      const rows = page.locator('tbody tr')
      await rows.nth(2).waitFor()
      await page.getByRole('link', { name: 'Failed', exact: true }).click()
      await waitFor('one row', async () => (await rows.count()) === 1)
      await page.getByLabel('Event').selectOption('video.failed')
      await page.getByText('Nothing matches').waitFor()
      expect(new URL(page.url()).search).toBe('?status=failed&event=video.failed')
      await page.goBack()
      await waitFor('one row', async () => (await rows.count()) === 1)
      await page.reload()
      await waitFor('one row', async () => (await rows.count()) === 1)
      await rows.getByRole('link').click()
      await page.getByText('This delivery has failed').waitFor()
      await t.browser.leave(page)
    },
    60_000,
  )

  itOfAll(
    'lead to the next and the previous one of the list that led to them, by keys and buttons',
    async () => {
      const { delivered, failed, waiting } = deliveries
      const page = await t.open('/deliveries?event=video.ready')
      const named = (name: string) => page.getByRole('button', { name, exact: true })
      const [previous, next] = [named('Previous in the list'), named('Next in the list')]
      const untilAt = (id: number) => page.waitForURL(`**/deliveries/${id}?event=video.ready`)
      await page.locator('tbody tr').first().getByRole('link').click()
      await untilAt(waiting)
      await page.getByRole('link', { name: /^Attempt 1/ }).click()
      await page.waitForURL('**?event=video.ready&attempt=1')
      await waitFor('the next one', () => next.isEnabled())
      expect(await previous.isDisabled()).toBe(true)
      await page.keyboard.press('j')
      await untilAt(failed)
      await page.reload()
      await waitFor('the next one', () => next.isEnabled())
      await page.keyboard.press('j')
      await untilAt(delivered)
      await waitFor('the previous one', () => previous.isEnabled())
      expect(await next.isDisabled()).toBe(true)
      await page.keyboard.press('k')
      await untilAt(failed)
      await waitFor('the previous one', () => previous.isEnabled())
      await previous.press('Enter')
      await untilAt(waiting)
      await page
        .getByRole('main')
        .getByRole('link', { name: 'Deliveries', exact: true })
        .last()
        .click()
      await page.waitForURL('**/deliveries?event=video.ready')
      expect(await t.browser.complaints(page)).toEqual([])
      await t.browser.leave(page)
    },
    60_000,
  )

  it('show what a receiver returned as text, with its unseen characters', async () => {
    const page = await t.open(`/deliveries/${deliveries.failed}`)
    const body = page.getByRole('region', { name: 'Body' })
    await body.waitFor()
    expect(await body.locator('pre').textContent()).toBe(HOSTILE_BODY.replace('\u202E', '\\u202e'))
    expect(await body.locator('script').count()).toBe(0)
    const phases = await page.locator('section', { hasText: 'Phases' }).last().textContent()
    for (const phase of ['DNS', 'Connection', 'TLS', 'First byte', 'Total'])
      expect(phases).toContain(phase)
    const section = page.locator('section', { has: page.locator('#answer') })
    expect(await section.textContent()).toContain('Encodingutf-8')
    expect(await t.browser.complaints(page)).toEqual([])
    await t.browser.leave(page)
  }, 60_000)

  it('name what is wrong with a receiver, and the remedy', async () => {
    const [known, unknown] = [await failOne('no'), await failOne('no')]
    const set = (id: number, cause: string | null, message: string) =>
      t.execute(
        `update webhook_attempt set response_status = null, response_body = null, response_encoding = null,
           error_code = 'tls_error', error_cause = ?, error_message = ? where delivery_id = ?`,
        [cause, message, id],
      )
    await set(known, 'certificate_expired', 'Not shown.')
    await set(unknown, null, 'The TLS connection failed (ERR_SSL_NEW).')
    const page = await t.open(`/deliveries/${known}`)
    await page.getByText('The certificate of the host has expired. Renew it.').waitFor()
    await page.goto(`${t.pages()}/developers/deliveries/${unknown}`)
    await page.getByText('The TLS connection failed (ERR_SSL_NEW).').waitFor()
    expect(await t.browser.complaints(page)).toEqual([])
    await t.browser.leave(page)
  }, 60_000)

  it('are sent again: an ended one as a new delivery, a waiting one at once', async () => {
    const [failed, waiting] = [await failOne('down'), await leaveOneWaiting('busy')]
    t.receiver.respond = (response) => void response.writeHead(204).end()
    const page = await t.open(`/deliveries/${failed}`)
    await page.evaluate(hastenTimers)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(`/${failed}`))
    await t.deliver()
    await untilStatus(page, 'Delivered')
    await page.getByText('Repeats').waitFor()
    await page.goto(`${t.pages()}/developers/deliveries/${waiting}`)
    await page.evaluate(hastenTimers)
    await page.getByText(/^Next attempt in 2\d minutes$/).waitFor()
    // An attempt before the service has the request would end the delivery, and the request would repeat it.
    const requested = page.waitForResponse(`**/webhook-deliveries/${waiting}/retry`)
    await page.getByRole('button', { name: 'Send now' }).click()
    expect((await requested).ok()).toBe(true)
    await t.deliver('manual')
    await untilStatus(page, 'Delivered')
    await page.getByText('Attempt 3, manual').waitFor()
    await page.getByRole('link', { name: /^Attempt 1/ }).click()
    await page.getByText('busy', { exact: true }).waitFor()
    const { pathname, search } = new URL(page.url())
    expect(pathname).toMatch(new RegExp(`/deliveries/${waiting}$`))
    expect(search).toBe('?attempt=1')
    await t.browser.leave(page)
  }, 60_000)
})

describe('a replay', () => {
  itOfAll(
    'is cancelled while it runs, and a new one is counted before it is sent',
    async () => {
      await failOne('down')
      const page = await t.open('/replays')
      await page.getByText('500 of 840 events read').filter({ visible: true }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('Cancelled').filter({ visible: true }).waitFor()
      const search = new URLSearchParams({ since: new Date(Date.now() - 86_400_000).toISOString() })
      const preview = await t.call('owner', 'GET', `/webhook-replay-preview?${search.toString()}`)
      const count = Number(preview.json.delivery_count)
      expect(count).toBeGreaterThan(0)
      await page.getByRole('link', { name: 'Start a replay' }).click()
      const form = page.getByRole('dialog')
      await form.getByRole('button', { name: 'Count matches' }).click()
      await form.getByText(`Deliveries to send: ${count}`).waitFor()
      expect(await t.browser.axe(page)).toEqual([])
      await form.getByLabel('Period').selectOption('hour')
      await form.getByText('Deliveries to send').waitFor({ state: 'detached' })
      await form.getByRole('button', { name: 'Count matches' }).click()
      await form.getByRole('button', { name: `Send ${count}` }).click()
      await form.waitFor({ state: 'detached' })
      await page.locator('tbody tr').nth(1).waitFor()
      await t.browser.leave(page)
    },
    60_000,
  )

  itOfAll(
    'of a chosen period is refused in words if it ends before it starts, and counted in the chosen zone',
    async () => {
      await failOne('down')
      const { json } = await t.call('owner', 'GET', '/v1/webhook-replays')
      const [running] = z.object({ data: z.array(z.object({ id: z.int() })) }).parse(json).data
      await t.call('owner', 'POST', `/v1/webhook-replays/${running?.id}/cancel`)
      const page = await t.open('/replays')
      await page.getByRole('button', { name: 'Account and settings' }).click()
      await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Start a replay' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('Period').selectOption('custom')
      await form.getByText('Times are in Asia/Tokyo.').waitFor()
      const [since, until] = [form.getByLabel('From'), form.getByLabel('To (now, if left empty)')]
      const count = form.getByRole('button', { name: 'Count matches' })
      const startMs = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000
      const inTokyo = (timeMs: number) =>
        new Date(timeMs + 9 * 3_600_000).toISOString().slice(0, 16)
      await since.fill(inTokyo(startMs))
      await until.fill(inTokyo(startMs - 60_000))
      await count.click()
      await form.getByText('The start must be before the end and in the past.').waitFor()
      expect(await since.getAttribute('aria-invalid')).toBe('true')
      expect(await t.browser.axe(page)).toEqual([])
      await until.fill('')
      const counted = page.waitForResponse('**/webhook-replay-preview?*')
      await count.click()
      const range = new URL((await counted).url()).searchParams
      expect(Date.parse(range.get('since') ?? '')).toBe(startMs)
      const preview = await t.call('owner', 'GET', `/webhook-replay-preview?${range.toString()}`)
      expect(Number(preview.json.delivery_count)).toBeGreaterThan(0)
      await form.getByText(`Deliveries to send: ${Number(preview.json.delivery_count)}`).waitFor()
      await form
        .getByRole('button', { name: `Send ${Number(preview.json.delivery_count)}` })
        .click()
      await form.waitFor({ state: 'detached' })
      await t.browser.leave(page)
    },
    60_000,
  )
})
