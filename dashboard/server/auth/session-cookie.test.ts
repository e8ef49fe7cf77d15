import { describe, expect, it } from 'vitest'
import { PASSWORD, setUpDashboardFixture, tokenSetBy } from '../../../test/fixtures/dashboard.ts'

const http = setUpDashboardFixture()
const https = setUpDashboardFixture(() => ({ dashboardBase: 'https://dashboard.example' }))

const signIn = (t: typeof http) =>
  t.send('POST', '/sign-in', { form: { email: t.members.owner.email, password: PASSWORD } })

/** The attributes of the cookie that a response sets, in lowercase. */
const attributesOf = ({ headers }: Response): string[] =>
  (headers.get('Set-Cookie') ?? '').split('; ').slice(1).toSorted()

const THIRTY_DAYS = 'Max-Age=2592000'

describe('the cookie of a session', () => {
  it('on http has the port in its name, and is kept from scripts and other sites', async () => {
    const response = await signIn(http)
    const { port } = new URL(http.base)
    expect(response.headers.get('Set-Cookie')).toMatch(new RegExp(`^reelgate-${port}=[\\w-]{43};`))
    expect(attributesOf(response)).toEqual([
      expect.stringMatching(/^Expires=/),
      'HttpOnly',
      THIRTY_DAYS,
      'Path=/',
      'SameSite=Lax',
    ])
  })

  it('on https can be set by this host only, and only over https', async () => {
    const response = await signIn(https)
    expect(response.headers.get('Set-Cookie')).toMatch(/^__Host-reelgate=[\w-]{43};/)
    expect(attributesOf(response)).toEqual([
      expect.stringMatching(/^Expires=/),
      'HttpOnly',
      THIRTY_DAYS,
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ])
  })

  it('is removed at the sign-out, and its token is worth nothing afterwards', async () => {
    for (const t of [http, https]) {
      const token = tokenSetBy(await signIn(t)) ?? ''
      const path = `/api/accounts/${t.accountId}/me`
      expect((await t.send('GET', path, { token })).status).toBe(200)
      const out = await t.send('POST', '/sign-out', { token, form: {} })
      expect(out.headers.get('Location')).toBe('/sign-in?signed-out')
      expect(out.headers.get('Set-Cookie')).toMatch(/^[\w-]+=; Path=\/; Expires=Thu, 01 Jan 1970/)
      expect((await t.send('GET', path, { token })).status).toBe(401)
    }
  })

  it('is stored only as a hash', async () => {
    const token = tokenSetBy(await signIn(http)) ?? ''
    const rows = await http.execute<object>('select * from dashboard_session')
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(http.logged()).not.toContain(token)
  })

  it.each(['', 'x', 'a'.repeat(43), `${'a'.repeat(42)}%00`, 'a'.repeat(5000)])(
    'with the value %p is no session',
    async (token) => {
      const response = await http.send('GET', `/api/accounts/${http.accountId}/me`, { token })
      expect(response.status).toBe(401)
    },
  )
})
