import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../commands/accounts/api-keys.ts'
import { createAccount } from '../commands/accounts/create-account.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { freePort } from '../scripts/embedded/ports.ts'
import { parseMasterKeys } from '../security/sealing/sealing.ts'
import { startServerProcess, type ServerProcess } from '../test/infrastructure/server-process.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'

const PER_MINUTE = 20
const PER_DAY = 50
const POLICY = `"minute";q=${PER_MINUTE};w=60, "day";q=${PER_DAY};w=86400`

let folder: string
let database: TestDatabase
let db: Database
let processes: ServerProcess[]
let accountId: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-rate-limit-'))
  database = await createTestDatabase()
  db = await openDatabase({ url: database.url, poolSize: 2 })
  const masterKey = randomBytes(32).toString('hex')
  const account = { name: 'Test', protection: 'clearkey' } as const
  accountId = await createAccount(db.em.fork(), parseMasterKeys(masterKey), account)
  processes = await Promise.all(
    [1, 2].map(async (number) => {
      const port = await freePort()
      return startServerProcess({
        script: 'api/server.ts',
        baseUrl: `http://127.0.0.1:${port}`,
        env: {
          API_PORT: String(port),
          DATABASE_URL: database.url,
          MASTER_KEY: masterKey,
          API_REQUESTS_PER_MINUTE: String(PER_MINUTE),
          API_REQUESTS_PER_DAY: String(PER_DAY),
        },
        logFile: join(folder, `api-${number}.log`),
      })
    }),
  )
})

afterAll(async () => {
  await Promise.all((processes ?? []).map((one) => one.stop()))
  await db?.close(true)
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Sends `count` concurrent requests to the two processes in turn; returns the responses in the order sent. */
async function ask(key: string, count: number) {
  const responses = Array.from({ length: count }, async (_, at) => {
    const url = `${processes[at % 2]?.baseUrl}/v1/account`
    const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } })
    const json = (await response.json()) as { error?: { code: string } }
    const { status, headers } = response
    expect(headers.get('ratelimit-policy')).toBe(POLICY)
    const shape = /^"minute";r=(\d+);t=(\d+), "day";r=(\d+);t=(\d+)$/
    const [, ...numbers] = shape.exec(headers.get('ratelimit') ?? '') ?? []
    const [minuteLeft = -1, minuteEnds = -1, dayLeft = -1, dayEnds = -1] = numbers.map(Number)
    const retryAfter = headers.get('retry-after')
    return { status, code: json.error?.code, minuteLeft, minuteEnds, dayLeft, dayEnds, retryAfter }
  })
  return Promise.all(responses)
}

type AskedResponse = Awaited<ReturnType<typeof ask>>[number]

const admitted = (responses: AskedResponse[]) => responses.filter(({ status }) => status === 200)
const refused = (responses: AskedResponse[]) => responses.filter(({ status }) => status !== 200)
const numeric = (a: number, b: number) => a - b
const countdown = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => from - at)

const newKey = () => createKey(db.em.fork(), { accountId, scopes: ['account:read'] })

const rowOf = async () => {
  const [row] = await db.em
    .fork()
    .execute<{ minute_count: number; day_count: number }[]>(
      'select minute_count, day_count from api_key_rate order by key_id desc limit 1',
    )
  return row
}

const endMinute = () =>
  db.em.fork().execute(`update api_key_rate set minute_ends_at = now() - interval '1 second'`)

describe('the rate limit of a key', () => {
  it('is shared by all processes, exact, and shown in every response', async () => {
    const key = await newKey()
    const responses = await ask(key, 60)
    const ins = admitted(responses)
    expect(ins).toHaveLength(PER_MINUTE)
    const left = ins.map(({ minuteLeft }) => minuteLeft).toSorted(numeric)
    expect(left).toEqual(countdown(PER_MINUTE - 1, PER_MINUTE).toReversed())
    const dayLeft = ins.map((one) => one.dayLeft).toSorted(numeric)
    expect(dayLeft).toEqual(countdown(PER_DAY - 1, PER_MINUTE).toReversed())
    for (const { minuteEnds, dayEnds, retryAfter } of ins) {
      expect(minuteEnds).toBeGreaterThan(50)
      expect(minuteEnds).toBeLessThanOrEqual(60)
      expect(dayEnds).toBeGreaterThan(86_390)
      expect(dayEnds).toBeLessThanOrEqual(86_400)
      expect(retryAfter).toBeNull()
    }
    const outs = refused(responses)
    expect(outs).toHaveLength(60 - PER_MINUTE)
    for (const { status, code, minuteLeft, minuteEnds, retryAfter } of outs) {
      expect({ status, code, minuteLeft }).toEqual({
        status: 429,
        code: 'rate_limited',
        minuteLeft: 0,
      })
      expect(retryAfter).toBe(String(minuteEnds))
    }
  })

  it('does not count refused requests', async () => {
    const key = await newKey()
    await ask(key, 30)
    await ask(key, 30)
    expect(await rowOf()).toEqual({ minute_count: PER_MINUTE, day_count: PER_MINUTE })
  })

  it("accepts requests again after the minute, until the day's quota is used up", async () => {
    const key = await newKey()
    expect(admitted(await ask(key, 30))).toHaveLength(PER_MINUTE)
    await endMinute()
    expect(admitted(await ask(key, 30))).toHaveLength(PER_MINUTE)
    await endMinute()
    const third = await ask(key, 30)
    expect(admitted(third)).toHaveLength(PER_DAY - 2 * PER_MINUTE)
    for (const { code, dayLeft, dayEnds, retryAfter } of refused(third)) {
      expect({ code, dayLeft }).toEqual({ code: 'rate_limited', dayLeft: 0 })
      expect(retryAfter).toBe(String(dayEnds))
    }
    await endMinute()
    const [later] = await ask(key, 1)
    expect(later).toMatchObject({ status: 429, dayLeft: 0, minuteLeft: PER_MINUTE, minuteEnds: 60 })
  })

  it('also counts sequential requests', async () => {
    const key = await newKey()
    for (let sent = 1; sent <= PER_MINUTE; sent++) {
      const [response] = await ask(key, 1)
      expect(response).toMatchObject({ status: 200, minuteLeft: PER_MINUTE - sent })
    }
    expect((await ask(key, 1))[0]).toMatchObject({ status: 429, code: 'rate_limited' })
  })

  it('applies to each key separately, even within an account', async () => {
    const [first, second] = [await newKey(), await newKey()]
    await ask(first, PER_MINUTE)
    expect(admitted(await ask(second, PER_MINUTE))).toHaveLength(PER_MINUTE)
  })
})
