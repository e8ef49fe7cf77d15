import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDashboardFixture, type DashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { openParts } from '../../../test/infrastructure/open-parts.ts'
import { createRecordStore } from '../../../test/infrastructure/record-store/record-store.ts'
import { startTestNetwork } from '../../../test/infrastructure/test-network.ts'

const PASSWORD = 'pass-of-the-store'
const facts = {
  url: '',
  username: 'reelgate',
  password: PASSWORD,
  home_page: 'https://school.example',
  is_active: true,
}
const store = createRecordStore(facts.username, PASSWORD)

let t: DashboardFixture & { close: () => Promise<void> }

beforeAll(async () => {
  t = await openParts(async (parts) => {
    const network = parts.adopt(await startTestNetwork(), (opened) => opened.close())
    const { port } = await network.serveHttps(['lrs.test'], store.listener)
    network.dns.set('lrs.test', ['127.0.0.1'])
    network.dns.set('private.test', ['10.0.0.1'])
    facts.url = `https://lrs.test:${port}/xapi`
    const opened = await openDashboardFixture(() => ({ egress: network.egress() }))
    parts.defer(() => opened.close())
    return opened
  })
})
afterAll(() => t?.close())

describe('the record store of an account', () => {
  const post = (body: object) => t.call('owner', 'POST', '/record-store', { body })
  const read = async () => (await t.call('reader', 'GET', '/record-store')).json.record_store
  const rows = () => t.execute<{ row: string }>('select r::text as row from record_store r')

  it('has an address like that of a webhook, a user name without a colon and an IRI', async () => {
    const cases: [object, string, string | undefined][] = [
      [{ url: 'http://lrs.example' }, 'invalid_webhook_url', 'url'],
      [{ url: facts.url.replace('lrs.test', 'private.test') }, 'webhook_url_not_allowed', 'url'],
      [{ url: 'https://lrs.example/xapi?key=1' }, 'invalid_parameter', 'url'],
      [{ username: 'a:b' }, 'invalid_parameter', 'username'],
      [{ username: 'a\r\nX: 1' }, 'invalid_parameter', 'username'],
      [{ home_page: 'school' }, 'invalid_parameter', 'home_page'],
    ]
    for (const [change, code, param] of cases) {
      const { json } = await post({ ...facts, ...change })
      expect(json.error).toMatchObject({ code, param })
    }
    expect((await t.call('reader', 'GET', '/record-store')).json).toEqual({
      object: 'record_store_state',
      record_store: null,
    })
    for (const [method, path] of [
      ['DELETE', '/record-store'],
      ['POST', '/record-store/test'],
    ] as const)
      expect((await t.call('owner', method, path)).code).toBe('record_store_not_found')
  })

  it('is set, tried out and removed by owners alone, who confirm it', async () => {
    for (const [method, path, body] of [
      ['POST', '/record-store', facts],
      ['POST', '/record-store/test', undefined],
      ['DELETE', '/record-store', undefined],
    ] as const) {
      expect((await t.call('editor', method, path, { body })).code).toBe('insufficient_role')
      const stale = await t.call('owner', method, path, { body, isStale: true })
      expect(stale.code).toBe('reauthentication_required')
    }
    expect(await read()).toBeNull()
    expect((await post(facts)).json.record_store).toMatchObject({
      url: facts.url,
      username: 'reelgate',
      home_page: 'https://school.example',
      is_active: true,
      waiting: 0,
      delivered: 0,
      last_error: null,
    })
    expect(await read()).not.toBeNull()
    const removed = await t.call('owner', 'DELETE', '/record-store')
    expect(removed.json).toEqual({ object: 'record_store_state', record_store: null })
    expect(await read()).toBeNull()
    expect(await rows()).toEqual([])
  })

  it('never shows its password: in no response, no row, and no entry of the audit log', async () => {
    const created = await post(facts)
    const tested = await t.call('owner', 'POST', '/record-store/test')
    const audit = await t.execute('select e::text from audit_entry e')
    const shown = JSON.stringify([created.json, tested.json, await read(), await rows(), audit])
    expect(shown).toContain('record_store.set')
    expect(shown).toContain('record_store.test')
    for (const text of [PASSWORD, Buffer.from(`reelgate:${PASSWORD}`).toString('base64')])
      expect(shown).not.toContain(text)
  })

  it('gets a test statement, whose response is shown; after a success, what waits is due', async () => {
    await post({ ...facts, is_active: false })
    await t.execute(
      `update record_store set failure_count = 3, next_attempt_at = now() + interval '1 hour'`,
    )
    store.respond = () => ({ status: 403, body: '<b>read only</b>' })
    const test = async () => (await t.call('owner', 'POST', '/record-store/test')).json
    expect(await test()).toMatchObject({
      object: 'record_store_test',
      error_code: 'http_error',
      response_status: 403,
      response_body: '<b>read only</b>',
    })
    expect(await read()).not.toMatchObject({ next_attempt_at: null })
    store.respond = null
    store.stored.clear()
    expect(await test()).toMatchObject({ error_code: null, response_status: 200 })
    expect([...store.stored.values()]).toMatchObject([
      { actor: { account: { homePage: 'https://school.example', name: 'test' } } },
    ])
    expect(await read()).toMatchObject({ next_attempt_at: null })
  })
})
