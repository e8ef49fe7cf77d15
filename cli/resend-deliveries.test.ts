import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../commands/accounts/create-account.ts'
import { appendEvent } from '../commands/events.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../db/entities/event.ts'
import { parseMasterKeys } from '../security/sealing/sealing.ts'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
let testDatabase: TestDatabase
let database: Database
let reelgate: Cli
let account: number
let endpointId: number
let deliveryId: number

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = await openDatabase({ url: testDatabase.url })
  reelgate = cliHarness({ DATABASE_URL: testDatabase.url, MASTER_KEY })
  const em = database.em.fork()
  const plan = { name: 'Anna', protection: 'clearkey' } as const
  account = await createAccount(em, parseMasterKeys(MASTER_KEY), plan)
  endpointId = await em.insert(WebhookEndpoint, {
    accountId: account,
    url: 'https://hooks.example/',
    sealedSecret: 'sealed',
    events: ['video.ready'],
  })
  const data = { id: 'a'.repeat(20), object: 'video', status: 'ready' } as const
  await em.transactional((tx) => appendEvent(tx, { accountId: account, type: 'video.ready', data }))
  deliveryId = (await em.findOneOrFail(WebhookDelivery, { accountId: account })).id
})

afterAll(async () => {
  await database.close(true)
  await testDatabase.drop()
})

const set = (fields: string) =>
  database.em.fork().execute(`update webhook_delivery set ${fields} where id = ?`, [deliveryId])
const workflowRequests = async (id: number) =>
  (
    await database.em
      .fork()
      .execute<{ command: string }[]>(
        'select command from outbox where subject_id = ? order by id',
        [String(id)],
      )
  ).map(({ command }) => command)

describe('deliveries retry', () => {
  it('sends a pending delivery now, like the API', async () => {
    await set("attempt_count = 1, next_retry_at = now() + interval '5 minutes'")
    const run = await reelgate('deliveries', 'retry', String(deliveryId), '--json')
    expect(run).toMatchObject({ status: 0, stderr: '' })
    expect(run.json()).toMatchObject({ id: deliveryId, status: 'pending', retry_of: null })
    expect(await workflowRequests(deliveryId)).toEqual(['deliver-webhook', 'retry-delivery'])
  })

  it('ends with 1 after 20 manual attempts', async () => {
    const em = database.em.fork()
    await em.execute(
      `insert into webhook_attempt (delivery_id, number, trigger, started_at, duration_ms, timings)
       select ?, n, 'manual', now(), 1, '{}' from generate_series(2, 21) n`,
      [deliveryId],
    )
    expect(await reelgate('deliveries', 'retry', String(deliveryId))).toMatchObject({
      status: 1,
      stderr: `reelgate: Delivery ${deliveryId} was retried manually 20 times; its schedule continues.`,
    })
    await em.nativeDelete(WebhookAttempt, { deliveryId })
  })

  it('sends a completed delivery again as a new one and reports its id', async () => {
    await set("status = 'failed', next_retry_at = null, completed_at = now()")
    const run = await reelgate('deliveries', 'retry', String(deliveryId))
    const id = Number(/as delivery (\d+)\.$/.exec(run.stdout)?.[1])
    expect(id).toBeGreaterThan(deliveryId)
    expect(await workflowRequests(id)).toEqual(['deliver-webhook'])
    await database.em.fork().nativeDelete(WebhookDelivery, { id })
  })

  it('ends with 1 for an unknown delivery and for a switched-off endpoint', async () => {
    expect(await reelgate('deliveries', 'retry', '999999')).toMatchObject({
      status: 1,
      stderr: 'reelgate: There is no webhook delivery 999999.',
    })
    await setActive(false)
    expect(await reelgate('deliveries', 'retry', String(deliveryId))).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `reelgate: The webhook endpoint ${endpointId} is switched off: set is_active to true first.`,
    })
    await setActive(true)
  })

  it('ends with 2 for an invalid id', async () => {
    expect((await reelgate('deliveries', 'retry', 'x')).status).toBe(2)
  })
})

describe('deliveries replay', () => {
  const replay = (...args: string[]) =>
    reelgate('deliveries', 'replay', '--account', String(account), ...args)

  it('starts a replay with the options of POST /v1/webhook-replays, one per account at a time', async () => {
    const options = ['--until', '2099-01-01T00:00:00Z', '--endpoint', String(endpointId)]
    const run = await replay('--since', '2026-01-01', ...options, '--status', 'missing', '--json')
    expect(run).toMatchObject({ status: 0, stderr: '' })
    const record = run.json<{ id: number }>()
    expect(record).toMatchObject({
      object: 'webhook_replay',
      account_id: account,
      endpoint_id: endpointId,
      status: 'missing',
      state: 'running',
      event_count: 1,
      scanned_count: 0,
    })
    expect(await workflowRequests(record.id)).toContain('replay-webhooks')
    expect(await replay('--since', '2026-01-01')).toMatchObject({
      status: 1,
      stderr: 'reelgate: A replay of this account is still running.',
    })
  })

  it.each([
    [['--since', '2026-01-02', '--until', '2026-01-01'], 2, 'The range is empty'],
    [['--since', 'yesterday'], 2, 'ISO 8601'],
    [['--since', '2026-01-01', '--status', 'late'], 2, 'failed, delivered, missing'],
    [[], 2, '--since'],
    [['--since', '2026-01-01', '--endpoint', '999999'], 1, 'no such webhook endpoint'],
    [['--since', '2026-01-01', '--account', '999999'], 1, 'There is no account 999999.'],
  ])('refuses %j', async (args, status, message) => {
    const run = await replay(...args)
    expect(run).toMatchObject({ status, stdout: '' })
    expect(run.stderr).toContain(message)
  })
})

const setActive = (isActive: boolean) =>
  database.em.fork().nativeUpdate(WebhookEndpoint, { id: endpointId }, { isActive })
