import { describe, expect, it } from 'vitest'
import { cookieName, PASSWORD, setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'

const t = setUpDashboardFixture()

/** Sends a request with exactly these headers in place of Sec-Fetch-Site. */
async function sendAs(method: string, path: string, headers: Record<string, string>) {
  const token = await t.startSession(t.members.owner.id)
  const response = await fetch(t.base + path, {
    method,
    redirect: 'manual',
    headers: { Cookie: `${cookieName(t.dashboardBase)}=${token}`, ...headers },
    ...(method === 'POST' && { body: new URLSearchParams({ email: 'a@b', password: PASSWORD }) }),
  })
  return { status: response.status, text: await response.text() }
}

const me = (): string => `/api/accounts/${t.accountId}/me`
const elevation = (): string => `${me()}/elevation`
const foreign = 'https://evil.example'

const REQUESTS: [method: string, path: () => string][] = [
  ['GET', me],
  ['POST', elevation],
  ['POST', () => '/sign-in'],
  ['POST', () => '/sign-out'],
  ['POST', () => '/welcome'],
  ['POST', () => '/welcome/join'],
]

describe.each(REQUESTS)('%s %s', (method, path) => {
  it.each(['cross-site', 'same-site', 'none', '', 'Same-Origin'])(
    'refuses Sec-Fetch-Site %p, also with the right Origin',
    async (site) => {
      const headers = { 'Sec-Fetch-Site': site, Origin: t.dashboardBase }
      const { status, text } = await sendAs(method, path(), headers)
      expect(status).toBe(403)
      expect(text).toMatch(/cross_site_request|Please use the address of the dashboard/)
    },
  )

  it('accepts Sec-Fetch-Site same-origin at any address that leads here', async () => {
    const headers = { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://127.0.0.1:9' }
    expect((await sendAs(method, path(), headers)).status).not.toBe(403)
  })

  it('without Sec-Fetch-Site accepts only the Origin of the dashboard', async () => {
    expect((await sendAs(method, path(), { Origin: t.dashboardBase })).status).not.toBe(403)
    const wrong = [foreign, 'null', t.base, `${t.dashboardBase}.evil.example`]
    for (const origin of wrong)
      expect((await sendAs(method, path(), { Origin: origin })).status).toBe(403)
  })

  it('is refused without Sec-Fetch-Site, Origin and Referer', async () => {
    expect((await sendAs(method, path(), {})).status).toBe(403)
  })
})

describe('a request without Sec-Fetch-Site and Origin', () => {
  it('may read if its Referer is a page of the dashboard, because browsers send no Origin then', async () => {
    const page = `${t.dashboardBase}/accounts/1/videos`
    expect((await sendAs('GET', me(), { Referer: page })).status).toBe(200)
    for (const referrer of [`${foreign}/`, 'nonsense', `${foreign}/?${page}`])
      expect((await sendAs('GET', me(), { Referer: referrer })).status).toBe(403)
  })

  it('may not write, whatever its Referer', async () => {
    const headers = { Referer: `${t.dashboardBase}/sign-in` }
    expect((await sendAs('POST', '/sign-in', headers)).status).toBe(403)
  })
})
