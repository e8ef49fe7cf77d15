import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { createInvitation } from '../../commands/members/invitations.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { PASSWORD, tokenSetBy } from '../../test/fixtures/dashboard.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
import { startServerProcess, type ServerProcess } from '../../test/infrastructure/server-process.ts'

const PUBLIC = 'https://dashboard.example'

let folder: string
let database: DatabaseFixture
let accountId: number
let processes: ServerProcess[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-dashboard-'))
  database = await openDatabaseFixture(2)
  const masterKey = randomBytes(32).toString('hex')
  const account = { name: 'Test', protection: 'clearkey' } as const
  accountId = await createAccount(database.em(), parseMasterKeys(masterKey), account)
  processes = await Promise.all(
    [1, 2].map(async (number) => {
      const port = await freePort()
      return startServerProcess({
        script: 'dashboard/server/main.ts',
        baseUrl: `http://127.0.0.1:${port}`,
        env: {
          DASHBOARD_PORT: String(port),
          DASHBOARD_BASE_URL: PUBLIC,
          DATABASE_URL: database.databaseUrl,
          MASTER_KEY: masterKey,
          TRUSTED_PROXIES: '1',
        },
        logFile: join(folder, `dashboard-${number}.log`),
      })
    }),
  )
})

afterAll(async () => {
  await Promise.all((processes ?? []).map((one) => one.stop()))
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})

interface Sent {
  form?: Record<string, string>
  token?: string | null
}

/** Sends a request to one of the two processes, as a page of the dashboard does. */
function send(number: 0 | 1, method: string, path: string, { form, token = null }: Sent = {}) {
  return fetch(`${processes[number]?.baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      'Sec-Fetch-Site': 'same-origin',
      ...(token !== null && { Cookie: `__Host-reelgate=${token}` }),
    },
    ...(form && { body: new URLSearchParams(form) }),
  })
}

const signIn = (number: 0 | 1, email: string, password = PASSWORD) =>
  send(number, 'POST', '/sign-in', { form: { email, password } })

/** Makes an owner through the link of the operator; resolves to the token of the session. */
async function becomeOwner(email: string): Promise<string> {
  const by = { kind: 'operator', id: null, name: 'root' } as const
  const invitation = { accountId, role: 'owner', email: null, by } as const
  const { token: link } = await createInvitation(database.em(), invitation)
  const form = { link, email, name: 'Anna', password: PASSWORD }
  return tokenSetBy(await send(0, 'POST', '/welcome', { form })) ?? ''
}

describe('two processes of the dashboard', () => {
  it('share their sessions, and a revoked one ends in both at once', async () => {
    const token = await becomeOwner('shared@site.example')
    const me = `/api/accounts/${accountId}/me`
    for (const number of [0, 1] as const)
      expect((await send(number, 'GET', me, { token })).status).toBe(200)
    const { session_id: id } = (await (await send(1, 'GET', me, { token })).json()) as {
      session_id: number
    }
    expect((await send(1, 'DELETE', `${me}/sessions/${id}`, { token })).status).toBe(200)
    for (const number of [0, 1] as const)
      expect((await send(number, 'GET', me, { token })).status).toBe(401)
  })

  it('share the limit of guesses', async () => {
    await becomeOwner('guessed@site.example')
    const guesses = Array.from({ length: 10 }, (_value, index) =>
      signIn(index % 2 === 0 ? 0 : 1, 'guessed@site.example', 'a wrong password'),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  })

  it('send the app to a signed-in member, with the nonce of its policy', async () => {
    const token = await becomeOwner('app@site.example')
    const page = `/accounts/${accountId}/videos`
    expect((await send(1, 'GET', page)).status).toBe(303)
    const response = await send(1, 'GET', page, { token })
    expect(response.status).toBe(200)
    const policy = response.headers.get('Content-Security-Policy') ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none'
    expect(await response.text()).toContain(`nonce="${nonce}"`)
  })

  it('log no password, no token and no address', async () => {
    const email = 'logged@site.example'
    const token = await becomeOwner(email)
    await signIn(0, email)
    const logs = await Promise.all(
      [1, 2].map((number) => readFile(join(folder, `dashboard-${number}.log`), 'utf8')),
    )
    expect(logs.join('')).toContain('/welcome')
    for (const secret of [PASSWORD, token, email]) expect(logs.join('')).not.toContain(secret)
  })
})
