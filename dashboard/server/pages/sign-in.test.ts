import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../domain/language.ts'
import { HASHES_MAX, hashPassword } from '../../../security/password.ts'
import { PASSWORD, setUpDashboardFixture, tokenSetBy } from '../../../test/fixtures/dashboard.ts'

const t = setUpDashboardFixture()

interface Attempt {
  email?: string
  password?: string
  ip?: string
  token?: string
  next?: string
}

const signIn = ({
  email = t.members.owner.email,
  password = PASSWORD,
  ip = '203.0.113.1',
  token,
  next = '',
}: Attempt = {}) =>
  t.send('POST', '/sign-in', {
    form: { email, password, next },
    ip,
    ...(token !== undefined && { token }),
  })

const isSignedIn = async (token: string): Promise<boolean> =>
  (await t.send('GET', `/api/accounts/${t.accountId}/me`, { token })).status === 200

const sessionsOf = (memberId: number) =>
  t.execute<{ id: number }>('select id from dashboard_session where member_id = ?', [memberId])

describe('the sign-in', () => {
  it('starts a session with fresh authentication, for the address in any case', async () => {
    const response = await signIn({ email: ' Owner@Site.Example ' })
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/'])
    const token = tokenSetBy(response) ?? ''
    expect(await isSignedIn(token)).toBe(true)
    const me = await t.send('GET', `/api/accounts/${t.accountId}/me`, { token })
    const { elevated_until: until } = (await me.json()) as { elevated_until: string }
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(590_000)
  })

  it('leads to a page of the dashboard and nowhere else', async () => {
    const locationOf = async (next: string) =>
      (await signIn({ next, ip: '203.0.113.2' })).headers.get('Location')
    expect(await locationOf('/accounts/1/videos?q=a')).toBe('/accounts/1/videos?q=a')
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example'])
      expect(await locationOf(next)).toBe('/')
    const page = await (await t.send('GET', '/sign-in?next=//evil.example')).text()
    expect(page).not.toContain('evil')
  })

  it('gives a new token, whatever token the browser had', async () => {
    const planted = 'p'.repeat(43)
    const first = tokenSetBy(await signIn({ token: planted })) ?? ''
    expect(first).not.toBe(planted)
    expect(await isSignedIn(planted)).toBe(false)
    const second = tokenSetBy(await signIn({ token: first })) ?? ''
    expect(second).not.toBe(first)
    expect(await isSignedIn(second)).toBe(true)
    expect(await isSignedIn(first)).toBe(false)
  })

  it('ends a session that another member had in the browser', async () => {
    const planted = await t.startSession(t.members.stranger.id)
    await signIn({ token: planted })
    const path = `/api/accounts/${t.otherAccountId}/me`
    expect((await t.send('GET', path, { token: planted })).status).toBe(401)
  })

  it('writes itself to the audit log of each account of the member', async () => {
    const response = await signIn({ email: t.members.editor.email })
    const rows = await t.execute(
      `select account_id, action, actor_name, subject from audit_entry where request_id = ?`,
      [response.headers.get('Request-Id')],
    )
    expect(rows).toEqual([
      {
        account_id: t.accountId,
        action: 'member.sign_in',
        actor_name: 'editor@site.example',
        subject: String(t.members.editor.id),
      },
    ])
  })

  it('leaves no password, address or token in the log', async () => {
    const password = 'a secret that is typed'
    await signIn({ password, email: 'somebody@site.example' })
    const token = tokenSetBy(await signIn()) ?? 'none'
    expect(t.logged()).toContain('/sign-in')
    for (const secret of [password, PASSWORD, token, 'somebody@site.example'])
      expect(t.logged()).not.toContain(secret)
  })

  it('refuses a body that is no form', async () => {
    const response = await t.send('POST', '/sign-in', {
      body: { email: t.members.owner.email, password: PASSWORD },
    })
    expect([response.status, tokenSetBy(response)]).toEqual([401, null])
    const large = { email: 'a'.repeat(20_000), password: PASSWORD }
    expect((await t.send('POST', '/sign-in', { form: large })).status).toBe(413)
  })

  it('keeps what was entered except the password, and shows it as text', async () => {
    const html = await (await signIn({ email: '"><script>@x', password: 'wrong password' })).text()
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;@x"')
    expect(html).not.toContain('<script>')
    expect(html).not.toContain('wrong password')
  })
})

describe('a wrong password and an unknown address', () => {
  const responseTo = async (email: string, ip: string) => {
    const response = await signIn({ email, password: 'wrong password', ip })
    const html = (await response.text()).replaceAll(email, 'EMAIL')
    const { status } = response
    return { status, html, names: [...response.headers.keys()], token: tokenSetBy(response) }
  }

  it('get the same response', async () => {
    const known = await responseTo(t.members.reader.email, '203.0.113.3')
    expect(known).toMatchObject({ status: 401, token: null })
    expect(known.html).toContain('The e-mail address or the password is wrong.')
    expect(await responseTo('nobody@site.example', '203.0.113.3')).toEqual(known)
  })

  it('cost similar work', async () => {
    // The processor time of this process, which other processes do not lengthen.
    const processorTimeOf = async (email: string) => {
      const times: number[] = []
      for (const attempt of [1, 2, 3]) {
        const before = process.cpuUsage()
        await responseTo(email, `203.0.113.${10 + attempt}`)
        times.push(process.cpuUsage(before).user)
      }
      return Math.min(...times)
    }
    const known = await processorTimeOf(t.members.reader.email)
    expect(await processorTimeOf('nobody@site.example')).toBeGreaterThan(known / 3)
  })

  it('are told from each other neither by the wait', async () => {
    for (const email of [t.members.reader.email, 'nobody2@site.example']) {
      const statuses: number[] = []
      for (let attempt = 0; attempt < 6; attempt += 1)
        statuses.push((await responseTo(email, '203.0.113.4')).status)
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    }
  })
})

describe('guessing', () => {
  it('is bounded, also for simultaneous requests, and before the password is looked at', async () => {
    const ip = '203.0.113.20'
    const email = t.members.stranger.email
    const wrong = Array.from({ length: 12 }, () => signIn({ email, password: 'wrong one', ip }))
    const statuses = (await Promise.all(wrong)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(7)
    const refused = await signIn({ email, ip })
    expect(refused.status).toBe(429)
    const wait = Number(refused.headers.get('Retry-After'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect(await refused.text()).toMatch(
      /Too many failed attempts\. Please wait: (\d+ seconds?|1 minute)/,
    )
  })

  it('locks the right person out neither at another address nor in another account', async () => {
    const email = t.members.stranger.email
    expect((await signIn({ email, ip: '203.0.113.21' })).status).toBe(303)
    expect((await signIn({ ip: '203.0.113.20' })).status).toBe(303)
  })

  it('at one member counts together, however the address is written', async () => {
    const ip = '203.0.113.23'
    const hosts = [
      'site.example:1',
      'SITE.example:2',
      'site.example.',
      '//site.example',
      'site.example/a',
    ]
    const attempt = async (host: string, password = 'wrong one') =>
      (await signIn({ email: `editor@${host}`, password, ip })).status
    for (const host of hosts) expect([host, await attempt(host)]).toEqual([host, 401])
    expect(await attempt('site.example:3')).toBe(429)
    expect(await attempt('site.example', PASSWORD)).toBe(429)
  })

  it('makes the waits grow', async () => {
    const ip = '203.0.113.22'
    const attempt = () => signIn({ email: 'slow@site.example', password: 'wrong one', ip })
    const expire = (seconds: number) =>
      t.execute(`delete from sign_in_guess where key like ?`, [`%/${seconds}:%`])
    const waits: number[] = []
    for (let round = 0; round < 3; round += 1) {
      for (let guess = 0; guess < 5; guess += 1) await attempt()
      waits.push(Number((await attempt()).headers.get('Retry-After')))
      await expire(60)
    }
    waits.push(Number((await attempt()).headers.get('Retry-After')))
    expect(waits.slice(0, 3).every((wait) => wait > 0 && wait <= 60)).toBe(true)
    expect(waits[3]).toBeGreaterThan(600)
  })

  it('at many addresses from one network is bounded too', async () => {
    const attempt = (number: number) =>
      t.send('POST', '/welcome', {
        form: { link: String(number), email: 'a@b', name: 'A', password: PASSWORD },
        ip: `2001:db8:1:2::${number.toString(16)}`,
      })
    const statuses: number[] = []
    for (let number = 1; number <= 31; number += 1) statuses.push((await attempt(number)).status)
    expect(new Set(statuses.slice(0, 30))).toEqual(new Set([404]))
    expect(statuses[30]).toBe(429)
    const elsewhere = { email: 'nobody@site.example', password: 'wrong one' }
    expect((await signIn({ ...elsewhere, ip: '2001:db8:1:2:ffff::1' })).status).toBe(429)
    expect((await signIn({ ...elsewhere, ip: '2001:db8:1:3::1' })).status).toBe(401)
  })

  it('from many networks of one /56 or one /48 is bounded, with larger numbers', async () => {
    const attempt = async (ip: string) =>
      (await signIn({ email: 'nobody@site.example', password: 'wrong one', ip })).status
    const useUp = (network: string) =>
      t.execute(`update sign_in_guess set points = split_part(key, '/', 1)::int where key like ?`, [
        `%/3600:${network}`,
      ])
    expect(await attempt('2001:db8:a:100::1')).toBe(401)
    await useUp('20010db8000a01/56')
    expect(await attempt('2001:db8:a:1ff::1')).toBe(429)
    expect(await attempt('2001:db8:a:200::1')).toBe(401)
    await useUp('20010db8000a/48')
    expect(await attempt('2001:db8:a:300::1')).toBe(429)
    expect(await attempt('2001:db8:b:100::1')).toBe(401)
    const limits = await t.execute<{ key: string }>(
      `select key from sign_in_guess where key like '%:20010db8000b%' order by key`,
    )
    expect(limits.map(({ key }) => key)).toEqual([
      '100/3600:20010db8000b0100/64',
      '1000/3600:20010db8000b/48',
      '1500/86400:20010db8000b01/56',
      '30/60:20010db8000b0100/64',
      '300/3600:20010db8000b01/56',
      '300/60:20010db8000b/48',
      '500/86400:20010db8000b0100/64',
      '5000/86400:20010db8000b/48',
      '90/60:20010db8000b01/56',
    ])
  })

  it('is forgotten after the right password', async () => {
    const ip = '203.0.113.23'
    const email = t.members.editor.email
    for (let round = 0; round < 3; round += 1) {
      for (let guess = 0; guess < 4; guess += 1)
        expect((await signIn({ email, password: 'wrong one', ip })).status).toBe(401)
      expect((await signIn({ email, ip })).status).toBe(303)
    }
  })
})

describe('the page to sign in', () => {
  it('names the installation, and says whom to ask for a new password, in each language', async () => {
    const { host } = new URL(t.dashboardBase)
    for (const language of LANGUAGES) {
      const headers = { 'Accept-Language': language }
      const page = await (await t.send('GET', '/sign-in', { headers })).text()
      expect(page).toContain(`lang="${language}"`)
      expect(page).toContain(`<bdi>${host}</bdi>`)
      expect(page).toContain('<code dir="ltr">reelgate members invite</code>')
    }
  })

  it('says that a person has signed out, who then can sign in again', async () => {
    const token = await t.startSession(t.members.reader.id)
    const out = await t.send('POST', '/sign-out', { token, form: {} })
    const location = out.headers.get('Location') ?? ''
    const page = await (await t.send('GET', location)).text()
    expect(page).toContain('<p class="done" role="status">You are signed out.</p>')
    expect(await (await t.send('GET', '/sign-in')).text()).not.toContain('You are signed out.')
  })

  it('says at the field that the address or the password is wrong', async () => {
    const page = await (await signIn({ password: 'wrong password', ip: '203.0.113.41' })).text()
    expect(page).toMatch(
      /name="password"[^>]* aria-describedby="password-problem" aria-invalid="true" autofocus/,
    )
    expect(page).not.toContain('class="alert"')
  })

  it('says to try again while too many passwords are being hashed, and counts no guess', async () => {
    const state = { hasResponses: false }
    const keepBusy = async (): Promise<void> => {
      while (!state.hasResponses) await hashPassword(PASSWORD)
    }
    const busy = Array.from({ length: HASHES_MAX }, keepBusy)
    const ip = '203.0.113.40'
    const responses = await Promise.all(Array.from({ length: 6 }, () => signIn({ ip })))
    state.hasResponses = true
    for (const reply of responses) {
      expect([reply.status, reply.headers.get('Retry-After')]).toEqual([503, '5'])
      expect(await reply.text()).toContain('Too many people are signing in at the moment.')
    }
    await Promise.all(busy)
    expect((await signIn({ ip })).status).toBe(303)
  })
})

describe('a session', () => {
  it('is refused seven days after its last request, and thirty after its start', async () => {
    const age = async (change: string) => {
      const token = await t.startSession(t.members.reader.id)
      const ids = await sessionsOf(t.members.reader.id)
      const id = Math.max(...ids.map((row) => row.id))
      await t.execute(`update dashboard_session set ${change} where id = ?`, [id])
      return isSignedIn(token)
    }
    expect(await age(`last_seen_at = now() - interval '6 days 23 hours'`)).toBe(true)
    expect(await age(`last_seen_at = now() - interval '7 days 1 minute'`)).toBe(false)
    expect(await age(`created_at = now() - interval '29 days 23 hours'`)).toBe(true)
    expect(await age(`created_at = now() - interval '30 days 1 minute'`)).toBe(false)
  })
})
