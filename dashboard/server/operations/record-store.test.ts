import { describe, expect, it } from 'vitest'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'

const t = setUpDashboardFixture()
const PASSWORD = 'pass-of-the-store'
const facts = {
  url: 'https://192.0.2.1/xapi',
  username: 'reelgate',
  password: PASSWORD,
  home_page: 'https://school.example',
  is_active: true,
}

describe('the record store of an account', () => {
  const post = (body: object) => t.call('owner', 'POST', '/record-store', { body })

  it('has an address like that of a webhook, a user name without a colon and an IRI', async () => {
    const cases: [object, string, string | undefined][] = [
      [{ url: 'http://lrs.example' }, 'invalid_webhook_url', 'url'],
      [{ url: 'https://127.0.0.1/xapi' }, 'webhook_url_not_allowed', 'url'],
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
})
