import { describe, expect, it } from 'vitest'
import { removeMember } from '../../commands/members/members.ts'
import { DASHBOARD_ERRORS } from '../../domain/error-codes.ts'
import { PASSWORD, setUpDashboardFixture, tokenSetBy } from '../../test/fixtures/dashboard.ts'

const t = setUpDashboardFixture()

const remove = (memberId: number) => {
  const by = { kind: 'operator', id: null, name: 'root' } as const
  return t.em().transactional((tx) => removeMember(tx, { accountId: t.accountId, memberId, by }))
}

describe('every response', () => {
  it.each(['/sign-in', '/welcome', '/nothing', '/healthz', '/api/accounts/1/me'])(
    'cannot be framed, sniffed or cached, and allows no foreign script: %s',
    async (path) => {
      const { headers } = await t.send('GET', path)
      const policy = headers.get('Content-Security-Policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain('frame-src https://play.example')
      expect(policy).toContain(
        "connect-src 'self' https://play.example/frames/ https://uploads.example/uploads/;",
      )
      expect(policy).not.toContain('unsafe')
      expect(headers.get('X-Frame-Options')).toBe('DENY')
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('Cache-Control')).toBe('private, no-store')
      expect(headers.get('X-Powered-By')).toBeNull()
      expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
    },
  )

  it('has its own nonce', async () => {
    const nonces = await Promise.all(
      [1, 2, 3].map(async () => {
        const { headers } = await t.send('GET', '/sign-in')
        return /'nonce-([\w+/=]{24})'/.exec(headers.get('Content-Security-Policy') ?? '')?.[1]
      }),
    )
    expect(nonces).not.toContain(undefined)
    expect(new Set(nonces).size).toBe(3)
  })
})

describe('the dashboard', () => {
  it('is alive and ready', async () => {
    expect(await (await t.send('GET', '/healthz')).json()).toEqual({ status: 'ok' })
    expect(await (await t.send('GET', '/readyz')).json()).toEqual({
      status: 'ok',
      parts: { database: { status: 'ok' }, clock: { status: 'ok' } },
    })
  })

  it('responds to an unknown address with a page that names the request', async () => {
    const response = await t.send('GET', '/nothing')
    expect(response.status).toBe(404)
    const html = await response.text()
    expect(html).toContain('Page not found')
    expect(html).toContain(response.headers.get('Request-Id'))
  })

  it('serves the files of its pages forever, compressed', async () => {
    const html = await (await t.send('GET', '/welcome')).text()
    const paths = [...html.matchAll(/(?:href|src)="(\/pages\/[^"]+)"/g)].map(([, path]) => path)
    expect(paths).toHaveLength(2)
    for (const path of paths) {
      const { status, headers } = await t.send('GET', path ?? '')
      expect(status).toBe(200)
      expect(headers.get('Cache-Control')).toContain('immutable')
    }
  })

  it('sends a signed-out person to the sign-in and back', async () => {
    const page = `/accounts/${t.accountId}/videos?status=failed`
    const response = await t.send('GET', page)
    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toBe(`/sign-in?next=${encodeURIComponent(page)}`)
    expect((await t.send('GET', '/')).headers.get('Location')).toBe('/sign-in')
  })

  it('leads a signed-in member from / and /sign-in to the first account', async () => {
    const token = await t.startSession(t.members.reader.id)
    const home = await t.send('GET', '/', { token })
    expect(home.headers.get('Location')).toBe(`/accounts/${t.accountId}`)
    const signIn = await t.send('GET', '/sign-in?next=/accounts/1/me', { token })
    expect(signIn.headers.get('Location')).toBe('/accounts/1/me')
  })

  it('tells a member without an account so', async () => {
    const { id } = await t.insertMember('gone@site.example')
    await remove(id)
    const response = await t.send('GET', '/', { token: await t.startSession(id) })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('gone@site.example')
  })
})

describe('the API', () => {
  it('refuses a request without a session with 401', async () => {
    expect(await t.call(null, 'GET', '/v1/account')).toMatchObject({
      status: 401,
      code: 'not_signed_in',
      json: { error: { message: DASHBOARD_ERRORS.not_signed_in.message } },
    })
  })

  it('has the operations of /v1 for a member', async () => {
    const { status, json } = await t.call('reader', 'GET', '/v1/account')
    expect(status).toBe(200)
    expect(json.id).toBe(t.accountId)
  })

  it('treats an account that is not the member’s as one that does not exist', async () => {
    for (const accountId of [t.otherAccountId, 999_999, 2 ** 40])
      for (const path of ['/v1/account', '/me', '/nothing'])
        expect(await t.call('owner', 'GET', path, { accountId })).toMatchObject({
          status: 404,
          code: 'account_not_found',
        })
    const token = await t.startSession(t.members.owner.id)
    for (const account of ['0', '01', '1e3', '%31%20', 'abc'])
      expect((await t.send('GET', `/api/accounts/${account}/me`, { token })).status).toBe(404)
  })

  it('refuses what the role does not allow', async () => {
    const body = { name: 'Autumn' }
    expect(await t.call('reader', 'POST', '/v1/folders', { body })).toMatchObject({
      status: 403,
      code: 'insufficient_role',
    })
    expect((await t.call('editor', 'POST', '/v1/folders', { body })).status).toBe(201)
  })

  it('records the member in the audit log', async () => {
    await t.call('editor', 'POST', '/v1/folders', { body: { name: 'Winter' } })
    const [entry] = await t.execute(
      `select actor_kind, actor_id, actor_name, account_id from audit_entry
       where action = 'folder.create' order by id desc limit 1`,
    )
    expect(entry).toEqual({
      actor_kind: 'member',
      actor_id: t.members.editor.id,
      actor_name: 'editor@site.example',
      account_id: t.accountId,
    })
  })

  it('changes nothing that the audit log cannot record', async () => {
    const { id, email } = await t.insertMember('recorded@site.example')
    const state = async () => [
      await t.execute('select name from folder where account_id = ? order by id', [t.accountId]),
      await t.execute('select role from membership where member_id = ?', [id]),
      await t.execute('select name from member where id = ?', [t.members.owner.id]),
      await t.execute('select settings_version from account where id = ?', [t.accountId]),
      await t.execute('select id from invitation where account_id = ?', [t.accountId]),
      await t.execute('select id from dashboard_session where member_id = ?', [id]),
    ]
    const { json } = await t.call('owner', 'GET', '/settings')
    const before = await state()
    await t.execute('alter table audit_entry add constraint none check (false) not valid')
    try {
      const changes: [string, string, object][] = [
        ['POST', '/v1/folders', { name: 'Unrecorded' }],
        ['PATCH', `/members/${id}`, { role: 'owner' }],
        ['PATCH', '/me', { name: 'Unrecorded' }],
        ['PATCH', '/settings', { theme: 'light', version: json.version }],
        ['POST', '/invitations', { role: 'owner' }],
      ]
      for (const [method, path, body] of changes)
        expect([path, (await t.call('owner', method, path, { body })).status]).toEqual([path, 500])
      const signIn = await t.send('POST', '/sign-in', { form: { email, password: PASSWORD } })
      expect([signIn.status, tokenSetBy(signIn)]).toEqual([500, null])
    } finally {
      await t.execute('alter table audit_entry drop constraint none')
    }
    expect(await state()).toEqual(before)
  })

  it('leaves out the operations that it replaces', async () => {
    expect((await t.call('owner', 'GET', '/v1/videos')).code).toBe('method_not_allowed')
    const path = '/v1/videos/00000000000000000000'
    expect((await t.call('owner', 'DELETE', path)).code).toBe('method_not_allowed')
  })

  it('responds to an unknown address in the form of the API', async () => {
    const { status, code, headers } = await t.call('owner', 'GET', '/nothing')
    expect([status, code]).toEqual([404, 'route_not_found'])
    expect(headers.get('Content-Type')).toContain('application/json')
  })

  it('takes no API key', async () => {
    const headers = { Authorization: 'Bearer rg_live_anything' }
    expect((await t.call(null, 'GET', '/v1/account', { headers })).code).toBe('not_signed_in')
  })

  it('ends a removed member’s access at the next request', async () => {
    const { id } = await t.insertMember('removed@site.example', 'owner')
    const token = await t.startSession(id)
    const path = `/api/accounts/${t.accountId}/me`
    expect((await t.send('GET', path, { token })).status).toBe(200)
    await remove(id)
    expect((await t.send('GET', path, { token })).status).toBe(404)
  })
})

describe('a dashboard with an http address', () => {
  const http = setUpDashboardFixture(() => ({ dashboardBase: 'http://dashboard.example' }))

  it('names the setting at its start', () => {
    expect(http.logged()).toContain('DASHBOARD_BASE_URL is http')
    expect(t.logged()).not.toContain('DASHBOARD_BASE_URL')
  })

  it('says at which other addresses members use it, once for each and at most five', async () => {
    const post = (origin: string) =>
      http.send('POST', '/sign-out', { form: {}, headers: { Origin: origin } })
    for (let count = 0; count < 7; count += 1) {
      await post(`https://${count}.example`)
      await post(`https://${count}.example`)
    }
    await post('http://dashboard.example')
    const found = http.logged().match(/"origin":"[^"]*"/g)
    expect(found).toEqual([0, 1, 2, 3, 4].map((count) => `"origin":"https://${count}.example"`))
  })
})

describe('a request of a page that was opened for another member', () => {
  it('is refused with the address of the one who is signed in, also in a foreign account', async () => {
    const headers = { 'Reelgate-Member': String(t.members.editor.id) }
    const body = { name: 'Mine' }
    const own = await t.call('editor', 'PATCH', '/me', { body, headers })
    expect(own.status).toBe(200)
    for (const person of ['reader', 'stranger'] as const) {
      const { status, code, json } = await t.call(person, 'PATCH', '/me', { body, headers })
      expect([status, code, json.current]).toEqual([
        401,
        'other_member',
        { email: t.members[person].email },
      ])
    }
    expect((await t.call('reader', 'GET', '/me')).json.name).toBe('reader')
  })

  it('finds the page to sign in, also while another member is signed in', async () => {
    const token = await t.startSession(t.members.reader.id)
    expect((await t.send('GET', '/sign-in?other=', { token })).status).toBe(200)
    expect((await t.send('GET', '/sign-in', { token })).status).toBe(303)
  })
})
