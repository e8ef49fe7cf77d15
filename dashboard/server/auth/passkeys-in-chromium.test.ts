import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inviteByOperator } from '../../../commands/members/by-operator.ts'
import type { Actor } from '../../../domain/accounts/audit.ts'
import { replaceCredentials } from '../../../test/browser/credentials-of-extensions.ts'
import { CHROMIUM_ARGS } from '../../../test/browser/pooled-contexts.ts'
import {
  openDashboardFixture,
  PASSWORD,
  setUpDashboardFixture,
  tokenSetBy,
} from '../../../test/fixtures/dashboard.ts'
import { headlessChromiumPath } from '../../../test/infrastructure/services.ts'

type Opened = Awaited<ReturnType<typeof openDashboardFixture>>

let t: Opened
let browser: Browser

beforeAll(async () => {
  t = await openDashboardFixture()
  const executablePath = await headlessChromiumPath()
  browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS })
})

afterAll(async () => {
  await browser?.close()
  await t?.close()
})

const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

/** A signed-in page in a browser with an authenticator. */
async function openPage(options: { isStale?: boolean } = {}) {
  const context = await browser.newContext()
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR })
  const member = await t.insertMember(`${crypto.randomUUID()}@site.example`)
  const { hostname, port } = new URL(t.dashboardBase)
  const useToken = (value: string) =>
    context.addCookies([{ name: `reelgate-${port}`, value, domain: hostname, path: '/' }])
  const signIn = async (isStale: boolean) => useToken(await t.startSession(member.id, { isStale }))
  await signIn(options.isStale ?? false)
  await page.goto(`${t.dashboardBase}/welcome`)
  return { context, page, member, signIn, useToken }
}

interface JsonResponse {
  status: number
  json: Record<string, unknown> & { error?: { code: string; message: string } }
}

/** Calls an operation from the page; `script` gives its body. */
const callFrom = (
  page: Page,
  method: string,
  path: string,
  script = 'undefined',
  account = t.accountId,
) =>
  page.evaluate<JsonResponse>(`(async () => {
    const body = ${script}
    const response = await fetch('/api/accounts/${account}${path}', {
      method: '${method}',
      headers: { 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    return { status: response.status, json: await response.json() }
  })()`)

/** Makes a passkey from a challenge and adds it. */
async function addPasskey(
  page: Page,
  name = 'Laptop',
  account = t.accountId,
): Promise<JsonResponse> {
  const { json } = await callFrom(page, 'POST', '/me/passkeys/challenge', '{}', account)
  return callFrom(
    page,
    'POST',
    '/me/passkeys',
    `{ name: '${name}', ticket: '${String(json.ticket)}', response: (await navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(json.options)}),
    })).toJSON() }`,
    account,
  )
}

/** The body that confirms with a passkey, for a challenge. */
const confirmation = ({ json }: JsonResponse) =>
  `{ ticket: '${String(json.ticket)}', response: (await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(json.options)}),
  })).toJSON() }`

describe('a passkey', () => {
  it('is added, listed, signs in, and is removed', async () => {
    const { context, page, member } = await openPage()
    const added = await addPasskey(page)
    expect([added.status, added.json.name]).toEqual([201, 'Laptop'])
    expect((await callFrom(page, 'GET', '/me')).json.has_passkeys).toBe(true)
    const home = `/accounts/${t.accountId}`
    const team = `${home}/team`
    const signIns = [
      ['/sign-in', home],
      [`/sign-in?next=${team}`, team],
      ['/sign-in?next=/sign-out', home],
    ] as const
    for (const [path, end] of signIns) {
      await context.clearCookies()
      await page.goto(t.dashboardBase + path)
      if (path === '/sign-in') await replaceCredentials(page, 'plain objects')
      await page.click('[data-passkey] button')
      await page.waitForURL(t.dashboardBase + end)
      expect((await callFrom(page, 'GET', '/me')).json.id).toBe(member.id)
    }
    const { json } = await callFrom(page, 'GET', '/me/passkeys')
    expect(json.data).toMatchObject([{ id: added.json.id, last_used_at: expect.any(String) }])
    const path = `/me/passkeys/${String(added.json.id)}`
    const renamed = await callFrom(page, 'PATCH', path, "{ name: 'Phone' }")
    expect([renamed.status, renamed.json.name]).toEqual([200, 'Phone'])
    expect((await callFrom(page, 'DELETE', path)).status).toBe(200)
    expect((await callFrom(page, 'DELETE', path)).json.error?.code).toBe('passkey_not_found')
    const rows = await t.execute<{ action: string }>(
      'select action from audit_entry where actor_id = ? order by id',
      [member.id],
    )
    const actions = [
      'passkey.create',
      ...signIns.map(() => 'member.sign_in'),
      'passkey.rename',
      'passkey.delete',
    ]
    expect(rows.map(({ action }) => action)).toEqual(actions)
    await context.close()
  })

  it('that was removed no longer signs in, and the page says so', async () => {
    const { context, page } = await openPage()
    const added = await addPasskey(page)
    await callFrom(page, 'DELETE', `/me/passkeys/${String(added.json.id)}`)
    await context.clearCookies()
    await page.goto(`${t.dashboardBase}/sign-in`)
    await page.click('[data-passkey] button')
    await page.waitForSelector('[data-passkey] [role=alert]:not([hidden])')
    expect((await callFrom(page, 'GET', '/me')).status).toBe(401)
    await context.close()
  })

  it('gives fresh authentication, once for each challenge', async () => {
    const { context, page, signIn } = await openPage()
    await addPasskey(page)
    await signIn(true)
    expect((await callFrom(page, 'POST', '/me/passkeys/challenge', '{}')).json.error?.code).toBe(
      'reauthentication_required',
    )
    const challenge = await callFrom(page, 'POST', '/me/elevation/challenge', '{}')
    const body = await page.evaluate<unknown>(`(async () => (${confirmation(challenge)}))()`)
    const send = () => callFrom(page, 'POST', '/me/elevation/passkey', JSON.stringify(body))
    expect((await send()).status).toBe(200)
    expect((await send()).json.error?.code).toBe('wrong_credentials')
    expect((await callFrom(page, 'POST', '/me/passkeys/challenge', '{}')).status).toBe(200)
    await context.close()
  })

  it('of another member, or for another session, confirms nothing', async () => {
    const first = await openPage()
    await addPasskey(first.page)
    const challenge = await callFrom(first.page, 'POST', '/me/elevation/challenge', '{}')
    const body = await first.page.evaluate<unknown>(`(async () => (${confirmation(challenge)}))()`)
    const second = await openPage({ isStale: true })
    const response = await callFrom(
      second.page,
      'POST',
      '/me/elevation/passkey',
      JSON.stringify(body),
    )
    expect(response.json.error?.code).toBe('wrong_credentials')
    // The passkey of the first member with a challenge of the second one.
    const foreign = await callFrom(second.page, 'POST', '/me/elevation/challenge', '{}')
    const options = { ...(foreign.json.options as object), allowCredentials: [] }
    const signed = await first.page.evaluate<unknown>(
      `(async () => (${confirmation({ status: 200, json: { ...foreign.json, options } })}))()`,
    )
    const attempt = await callFrom(
      second.page,
      'POST',
      '/me/elevation/passkey',
      JSON.stringify(signed),
    )
    expect(attempt.json.error?.code).toBe('wrong_credentials')
    await first.context.close()
    await second.context.close()
  })

  it('is refused with an altered signature, challenge or ticket', async () => {
    const { context, page } = await openPage()
    await addPasskey(page)
    const attempt = async (change: string) => {
      const challenge = await callFrom(page, 'POST', '/me/elevation/challenge', '{}')
      const script = `await (async () => { const body = ${confirmation(challenge)}; ${change}; return body })()`
      return (await callFrom(page, 'POST', '/me/elevation/passkey', script)).json.error?.code
    }
    expect(await attempt("body.response.response.signature = 'AAAA'")).toBe('wrong_credentials')
    expect(await attempt("body.response.response.clientDataJSON = 'e30'")).toBe('wrong_credentials')
    expect(await attempt('body.ticket = body.ticket.slice(0, -2)')).toBe('wrong_credentials')
    expect(await attempt("body.response.id = 'AAAA'")).toBe('wrong_credentials')
    expect(await attempt('delete body.response')).toBe('invalid_parameter')
    await context.close()
  })
})

describe('a passkey of a person who took an address in advance', () => {
  const operator: Actor = { kind: 'operator', id: null, name: 'root' }

  const welcome = (form: { link: string; email: string; replaces?: string }) =>
    t.send('POST', '/welcome', { form: { name: 'Anna', password: PASSWORD, ...form } })

  it('opens no account that the operator gives to that address later', async () => {
    const { context, page, useToken } = await openPage()
    const email = `${crypto.randomUUID()}@victim.example`
    const body = { role: 'reader', email }
    const { json } = await t.call('owner', 'POST', '/invitations', { body })
    const [, link = ''] = String(json.link).split('#')
    await useToken(tokenSetBy(await welcome({ link, email })) ?? '')
    const { status, json: passkey } = await addPasskey(page)
    expect(status).toBe(201)

    const facts = { accountId: t.otherAccountId, role: 'owner', email, by: operator } as const
    const { token } = await inviteByOperator(t.em(), facts)
    const entered = await welcome({ link: token, email, replaces: email })
    expect(entered.headers.get('Location')).toBe(`/accounts/${t.otherAccountId}`)
    expect(await t.execute('select id from passkey where id = ?', [passkey.id])).toEqual([])
    await context.clearCookies()
    await page.goto(`${t.dashboardBase}/sign-in`)
    await page.click('[data-passkey] button')
    await page.waitForSelector('[data-passkey] [role=alert]:not([hidden])')
    expect((await callFrom(page, 'GET', '/me')).status).toBe(401)
    await context.close()
  })
})

describe('a sign-in with a passkey', () => {
  it('takes back the guess that it counted and no other of its network', async () => {
    const { context, page } = await openPage()
    await addPasskey(page)
    await context.clearCookies()
    const [ip, elsewhere] = ['203.0.113.60', '203.0.113.61']
    const form = { link: 'none', email: 'a@b', name: 'A', password: PASSWORD }
    for (let guess = 0; guess < 3; guess += 1) await t.send('POST', '/welcome', { form, ip })
    const post = (path: string, from: string, body: string) =>
      page.evaluate<{ status: number; json: Record<string, unknown> }>(`(async () => {
        const response = await fetch('/sign-in/passkey${path}', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '${from}' },
          body: JSON.stringify({ next: '/', ...${body} }),
        })
        return { status: response.status, json: await response.json() }
      })()`)
    const challenge = await post('/challenge', elsewhere, '{}')
    expect((await post('', ip, confirmation(challenge))).status).toBe(200)
    const windows = await t.execute('select points from sign_in_guess where key like ?', [
      `%:${ip}`,
    ])
    expect(windows).toEqual([{ points: 3 }, { points: 3 }, { points: 3 }])
    await context.close()
  })
})

describe('at another address than that of the dashboard', () => {
  const proxied = setUpDashboardFixture(() => ({ dashboardBase: 'http://localhost:9' }))

  it('a passkey is refused with the name of the setting, and the log has it too', async () => {
    const { page, context } = await openPage()
    const url = proxied.base.replace('127.0.0.1', 'localhost')
    const value = await proxied.startSession(proxied.members.owner.id)
    await context.addCookies([{ name: 'reelgate-9', value, url }])
    await page.goto(`${url}/welcome`)
    const account = proxied.accountId
    const { status, json } = await addPasskey(page, 'Laptop', account)
    expect([status, json.error?.message]).toEqual([
      422,
      `The passkey was made at ${url}, and DASHBOARD_BASE_URL is http://localhost:9.`,
    ])
    const warnings = proxied.logged().match(/"members use the dashboard at another address/g)
    expect(warnings).toHaveLength(1)
    await context.close()
  })
})

describe('at an IP address', () => {
  const ip = setUpDashboardFixture((port) => ({ dashboardBase: `http://127.0.0.1:${port}` }))

  it('there are no passkeys', async () => {
    expect((await ip.call('owner', 'GET', '/me')).json.can_use_passkeys).toBe(false)
    expect(await (await ip.send('GET', '/sign-in')).text()).not.toContain('data-passkey')
    expect((await t.call('owner', 'GET', '/me')).json.can_use_passkeys).toBe(true)
  })
})
