import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../db/database.ts'
import { Member } from '../db/entities/member.ts'
import { putMembership } from '../db/members/write-members.ts'
import { migrate } from '../db/migrate.ts'
import { encodeAccountId } from '../domain/playback/embed-url.ts'
import { paths } from '../player/server/paths.ts'
import { startGuard } from '../scripts/embedded/guard.ts'
import { freePort } from '../scripts/embedded/ports.ts'
import { startPostgres, type Postgres } from '../scripts/embedded/postgres.ts'
import { openRotatingLog } from '../scripts/embedded/rotating-log.ts'
import { parseMasterKeys } from '../security/sealing/sealing.ts'
import { createAccountFixture } from './fixtures/account.ts'
import { cliHarness } from './fixtures/cli.ts'
import { cookieName, insertSessionFixture } from './fixtures/dashboard.ts'
import { insertPublishedVideo } from './fixtures/published-video.ts'
import { playerDataOf, SITE } from './fixtures/viewer.ts'
import { freeze } from './infrastructure/processes.ts'
import { startServerProcess, type ServerProcess } from './infrastructure/server-process.ts'
import { waitFor } from './infrastructure/wait-for.ts'
import { withClient } from './infrastructure/with-client.ts'

/** Five seconds, plus a margin for a busy machine. */
const BOUND_MS = 10_000
const MASTER_KEY = randomBytes(32).toString('hex')
let folder: string
let postgres: Postgres
let db: Database
let api: ServerProcess
let player: ServerProcess
let dashboard: ServerProcess
let cookie: string
let accountId: number
let key: string
let embedPath: string
let publishedPath: string

/** Also those that run although another did not start. */
const running: ServerProcess[] = []

const start = async (script: string, name: string): Promise<ServerProcess> => {
  const port = String(await freePort())
  const server = await startServerProcess({
    script,
    baseUrl: `http://127.0.0.1:${port}`,
    logFile: join(folder, `${name}.log`),
    env: {
      API_PORT: port,
      PLAYER_PORT: port,
      DASHBOARD_PORT: port,
      DATABASE_URL: postgres.url,
      MASTER_KEY,
      REELGATE_DATA_DIR: folder,
      API_REQUESTS_PER_MINUTE: '100000',
      LOG_LEVEL: 'silent',
    },
  })
  running.push(server)
  return server
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-frozen-'))
  const log = openRotatingLog(join(folder, 'postgres.log'))
  const place = { dataDir: folder, port: await freePort(), log, guard: startGuard() }
  postgres = await startPostgres({ ...place, durable: false })
  await migrate(postgres.url)
  db = await openDatabase({ url: postgres.url, poolSize: 2 })
  const masterKeys = parseMasterKeys(MASTER_KEY)
  const account = await createAccountFixture(db, masterKeys)
  const signingSecret = randomBytes(32).toString('hex')
  const video = await insertPublishedVideo(db, { masterKeys, signingSecret }, { title: 'A lesson' })
  publishedPath = `/${video.videoId}/${encodeAccountId(video.accountId)}`
  key = account.key
  embedPath = `/${randomBytes(10).toString('hex')}/${encodeAccountId(account.id)}`
  accountId = account.id
  ;[api, player, dashboard] = await Promise.all([
    start('api/server.ts', 'api'),
    start('player/server/main.ts', 'player'),
    start('dashboard/server/main.ts', 'dashboard'),
  ])
  const em = db.em.fork()
  const memberId = await em.insert(Member, { email: 'anna@site.example', passwordHash: null })
  await putMembership(em, { accountId, memberId, role: 'reader' })
  cookie = `${cookieName(dashboard.baseUrl)}=${await insertSessionFixture(em, memberId)}`
}, 240_000)

afterAll(async () => {
  await Promise.all(running.map((server) => server.stop()))
  await db?.close(true)
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
})

interface TimedResponse {
  status: number
  retryAfter: string | null
  text: string
  tookMs: number
}

async function ask(url: string, init?: RequestInit): Promise<TimedResponse> {
  const startedAtMs = performance.now()
  const response = await fetch(url, init)
  const text = await response.text()
  const tookMs = performance.now() - startedAtMs
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), text, tookMs }
}

const headers = () => ({ Authorization: `Bearer ${key}` })
const list = () => ask(`${api.baseUrl}/v1/videos`, { headers: headers() })
const page = () => ask(player.baseUrl + embedPath)
/** The heartbeat of a session that its page has begun. */
async function play(): Promise<TimedResponse> {
  const { text } = await ask(player.baseUrl + publishedPath, { headers: { Referer: SITE } })
  const headers = { 'X-Playback-Session': playerDataOf(text).session }
  return ask(player.baseUrl + paths.heartbeat, { method: 'POST', headers })
}
const view = () =>
  ask(`${dashboard.baseUrl}/api/accounts/${accountId}/videos`, {
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
  })
const readiness = () => [api, player, dashboard].map(({ baseUrl }) => `${baseUrl}/readyz`)
const signIn = () =>
  ask(`${dashboard.baseUrl}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email: 'anna@site.example', password: 'wrong' }),
    headers: { 'Sec-Fetch-Site': 'same-origin', Origin: dashboard.baseUrl },
  })
const makeFolder = (name: string) =>
  ask(`${api.baseUrl}/v1/folders`, {
    method: 'POST',
    body: JSON.stringify({ name }),
    headers: { ...headers(), 'Content-Type': 'application/json', 'Idempotency-Key': name },
  })
const foldersMade = async () =>
  (await db.em.fork().execute<{ name: string }[]>('select name from folder')).map((row) => row.name)

describe('while PostgreSQL is frozen', () => {
  it('every request of the API, the player and the dashboard gets 503 in time, and then as before', async () => {
    expect((await list()).status).toBe(200)
    expect((await page()).status).toBe(404)
    expect((await view()).status).toBe(200)
    const resume = freeze(postgres.child.pid)
    const responses = await Promise.all([
      ...Array.from({ length: 30 }, list),
      ...Array.from({ length: 30 }, page),
      ...Array.from({ length: 30 }, view),
      ...readiness().map((url) => ask(url)),
    ]).finally(resume)
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]))
    expect(new Set(responses.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['5']))
    expect(Math.max(...responses.map(({ tookMs }) => tookMs))).toBeLessThan(BOUND_MS)
    expect(JSON.parse(responses[0]?.text ?? '')).toMatchObject({
      error: { code: 'service_unavailable', type: 'api_error' },
    })
    for (const ready of readiness())
      await waitFor(ready, async () => (await ask(ready)).status === 200)
    const after = await Promise.all(
      Array.from({ length: 30 }, () => Promise.all([list(), page(), view()])),
    )
    for (const all of after) expect(all.map(({ status }) => status)).toEqual([200, 404, 200])
  }, 60_000)

  it('a POST that it interrupted does its work once, however often it is repeated', async () => {
    const sent: Promise<[string, TimedResponse]>[] = []
    const send = (name: string) =>
      makeFolder(name).then((response): [string, TimedResponse] => [name, response])
    const load = setInterval(() => sent.push(send(`folder ${sent.length}`)), 10)
    await waitFor('a POST to be done', async () => (await foldersMade()).length > 20)
    const resume = freeze(postgres.child.pid)
    await new Promise((resolve) => setTimeout(resolve, 200))
    clearInterval(load)
    const responses = await Promise.all(sent).finally(resume)
    const cutOff = responses.filter(([, { status }]) => status === 503)
    expect(cutOff.length).toBeGreaterThan(0)
    expect(responses.filter(([, { status }]) => status !== 201 && status !== 503)).toEqual([])
    expect(Math.max(...responses.map(([, { tookMs }]) => tookMs))).toBeLessThan(BOUND_MS)
    const repeat = async (name: string): Promise<TimedResponse> =>
      waitFor(`the response for ${name}`, async () => {
        const response = await makeFolder(name)
        expect([201, 409, 503]).toContain(response.status)
        // The interrupted request keeps its key for a minute; this simulates the end of that minute.
        const unlock = 'update idempotency_record set locked_until = now() where key = ?'
        if (response.status === 409) await db.em.fork().execute(unlock, [name])
        return response.status === 201 && response
      })
    const repeated = await Promise.all(responses.map(([name]) => repeat(name)))
    for (const [index, [, first]] of responses.entries())
      if (first.status === 201) expect(repeated[index]?.text).toBe(first.text)
    expect((await foldersMade()).toSorted()).toEqual(responses.map(([name]) => name).toSorted())
  }, 180_000)
})

/** What a failover leaves for the connections that survive it, or that reach the server that is now the standby. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  await withClient(postgres.url, async (client) => {
    await client.query('set default_transaction_read_only = off')
    await client.query(`alter database reelgate set default_transaction_read_only = ${isReadOnly}`)
    if (isReadOnly)
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'reelgate' and pid <> pg_backend_pid()`,
      )
  })
}

describe('while PostgreSQL is read-only', () => {
  it('no process is ready, every request that writes gets 503, and then as before', async () => {
    const writes = () => Promise.all([list(), makeFolder('in vain'), play(), signIn()])
    await setReadOnly(true)
    for (const url of readiness())
      await waitFor(`${url} to say it`, async () => {
        const { status, text } = await ask(url)
        return (
          status === 503 &&
          text.includes('"database":{"status":"unavailable","reason":"is read-only"}')
        )
      })
    expect((await writes()).map(({ status, retryAfter }) => [status, retryAfter])).toEqual(
      Array(4).fill([503, '5']),
    )
    const doctor = await cliHarness({ DATABASE_URL: postgres.url, MASTER_KEY })('doctor', '--json')
    const { checks } = doctor.json<{ checks: { name: string; detail: string }[] }>()
    expect(checks.find(({ name }) => name === 'database')?.detail).toMatch(
      /^PostgreSQL is read-only: /,
    )
    await setReadOnly(false)
    for (const url of readiness())
      await waitFor(`${url} to be 200`, async () => (await ask(url)).status === 200)
    await waitFor('each connection to take writes', async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, writes))
      return responses.flat().every(({ status }) => status < 500)
    })
  }, 60_000)
})
