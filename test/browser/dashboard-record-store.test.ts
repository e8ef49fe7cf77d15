import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itOfAll } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { checkViews, VIEWS_WITHIN_MS } from './dashboard-looks.ts'
import { openDeveloperFixture, type DeveloperFixture } from './developer-fixture.ts'

/** A response that would run as markup, and would turn the text after it. */
const HOSTILE_BODY = '<script>alert(1)</script> \u202Egnp.exe'
const PATH = '/developers/record-store'

let t: DeveloperFixture

beforeAll(async () => {
  t = await openDeveloperFixture()
}, 120_000)
afterAll(() => t?.close())

describe('the record store of an account', () => {
  it('is refused at its field, set up by its owner, tested and removed', async () => {
    const page = await t.open('/record-store')
    await page.getByRole('button', { name: 'Set up record store' }).click()
    const dialog = page.getByRole('dialog')
    const address = dialog.getByLabel('xAPI endpoint')
    await address.fill('https://internal.test/xapi')
    await dialog.getByLabel('User name').fill('reelgate')
    await dialog.getByRole('textbox', { name: 'Password' }).fill('never shown')
    await dialog.getByLabel('Home page').fill('https://school.example')
    await dialog.getByRole('button', { name: 'Set up record store' }).click()
    await waitFor(
      'the refusal',
      async () => (await address.getAttribute('aria-invalid')) === 'true',
    )
    await address.fill(t.hookUrl)
    await dialog.getByRole('button', { name: 'Set up record store' }).click()
    await page.getByRole('definition').getByText(t.hookUrl).waitFor()
    expect(await page.content()).not.toContain('never shown')

    t.receiver.respond = (response) => void response.writeHead(403).end(HOSTILE_BODY)
    await page.getByRole('button', { name: 'Send test' }).click()
    const failed = page.getByRole('dialog', { name: 'The record store has not taken the test' })
    await failed.getByText('Status 403 after').waitFor()
    expect(await failed.locator('pre').textContent()).toContain(HOSTILE_BODY)
    expect(await t.browser.axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    t.receiver.respond = (response) => void response.end('["id"]')
    t.receiver.received.length = 0
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByRole('dialog', { name: 'The record store has taken the test' }).waitFor()
    expect(t.receiver.received).toMatchObject([{ method: 'POST', url: '/hook/statements' }])
    await page.keyboard.press('Escape')

    await t.execute(`update record_store set last_error_at = now(), last_error_message = 'Status 401',
      last_error_status = 401, last_error_code = 'http_error', last_response = 'wrong password',
      next_attempt_at = now() + interval '1 hour', failure_count = 1`)
    await page.reload()
    await page.getByRole('alert').getByText('wrong password').waitFor()
    await page.getByText('Failing', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Delete' }).click()
    const { host } = new URL(t.hookUrl)
    await page.getByLabel(`Type ${host} to confirm`).fill(host)
    await page.getByRole('button', { name: 'Remove record store' }).click()
    await page.getByRole('button', { name: 'Set up record store' }).waitFor()
    await t.browser.leave(page)
  }, 90_000)

  it('can be seen by editors, and not be set up', async () => {
    const page = await t.open('/record-store', 'editor')
    await page.getByText('Owners of the account can set up a learning record store.').waitFor()
    expect(await page.locator('main').getByRole('button').count()).toBe(0)
    await t.browser.leave(page)
  })

  itOfAll(
    'fits, breaks no rule of axe and obeys the policy',
    async () => {
      const cookie = await t.cookieOf(t.members.owner.id)
      const looks = { browser: t.browser, base: t.pages(), cookie }
      await checkViews([{ name: 'no record store', path: PATH, shown: 'main h3' }], looks)
      const body = {
        url: t.hookUrl,
        username: 'reelgate',
        password: 'x',
        home_page: 'https://school.example',
        is_active: false,
      }
      expect((await t.call('owner', 'POST', '/record-store', { body })).status).toBe(200)
      const open = { name: 'record store', path: PATH, shown: 'main dl' }
      await checkViews([open], looks)
    },
    VIEWS_WITHIN_MS,
  )
})
