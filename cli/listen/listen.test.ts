import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { appendEvent } from '../../commands/events.ts'
import type { EntityManager } from '../../db/database.ts'
import { Event } from '../../db/entities/event.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { verifyWebhook } from '../../sdk/src/index.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { cliHarness, startCli, type RunningCli } from '../../test/fixtures/cli.ts'
import { openFront } from '../../test/fixtures/sdk.ts'
import { startServerProcess } from '../../test/infrastructure/server-process.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import {
  openLocalReceiver,
  type LocalReceiver,
} from '../../test/infrastructure/webhook-receiver.ts'

const t = setUpApiFixture()
const VIDEO_ID = 'a'.repeat(20)
/** No command reaches it. */
const NOWHERE = 'http://127.0.0.1:1/hook'
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-listen-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const em = () => t.db.em.fork()

/** An account with its events, and an integrator's machine that listens to them. */
interface Desk {
  account: { id: number; key: string }
  local: LocalReceiver
  append: (tx?: EntityManager) => Promise<string>
  fail: () => Promise<string>
  /** Starts `listen` and resolves when it listens. */
  listen: (...args: string[]) => Promise<RunningCli>
  idsReceived: () => string[]
}

/** Returns a test with its own desk, so that the tests can wait at the same time. */
const withDesk = (test: (desk: Desk) => Promise<void>) => async (): Promise<void> => {
  const account = await t.makeAccount()
  const local = await openLocalReceiver()
  const listeners: RunningCli[] = []
  try {
    await test({
      account,
      local,
      append: (tx = em()) =>
        appendEvent(tx, {
          accountId: account.id,
          type: 'video.deleted',
          data: { id: VIDEO_ID, object: 'video' },
        }),
      fail: () =>
        appendEvent(em(), {
          accountId: account.id,
          type: 'video.failed',
          data: { id: VIDEO_ID, object: 'video', status: 'failed', error: 'Ação não concluída' },
        }),
      async listen(...args) {
        const api = args.includes('--api') ? [] : ['--api', t.base]
        const words = ['listen', '--forward-to', local.url, ...api, ...args]
        const running = startCli({ REELGATE_API_KEY: account.key }, ...words)
        listeners.push(running)
        const hasSpoken = async () => running.records.length > 0 || running.output() !== ''
        await waitFor('the first line', hasSpoken)
        expect(running.records[0]).toMatchObject({ object: 'listening', forward_to: local.url })
        return running
      },
      idsReceived: () => local.received.map(({ body }) => eventSchema.parse(JSON.parse(body)).id),
    })
  } finally {
    await Promise.all(listeners.map((one) => one.interrupt()))
    await local.close()
  }
}

const eventSchema = z.object({ id: z.string() })
const forwards = ({ records }: RunningCli) =>
  records.filter(({ object }) => object === 'forward') as {
    event_id: string
    response_status: number | null
    error: string | null
  }[]
const forwarded = (running: RunningCli, count: number) =>
  waitFor(`${count} events`, async () => forwards(running).length >= count)

describe('reelgate listen', () => {
  it.concurrent(
    'forwards a new event like a delivery',
    withDesk(async ({ account, local, append, fail, listen }) => {
      await append()
      const running = await listen()
      const secret = String(running.records[0]?.secret)
      const id = await fail()
      await forwarded(running, 1)
      const [delivery] = local.received
      const { headers = {}, body = '' } = delivery ?? {}
      const row = await em().findOneOrFail(Event, { id })
      expect(body).toBe(row.body)
      expect(headers).toMatchObject({
        'service-event-type': 'video.failed',
        'service-delivery-id': '1',
        'webhook-id': id,
        'content-type': 'application/json',
        'user-agent': 'Service-Webhooks/1.0',
      })
      const signature = String(headers['service-signature'])
      expect(await verifyWebhook(body, signature, secret)).toMatchObject({ id })
      const standard = new Webhook(secret).verify(body, headers as Record<string, string>)
      expect(standard).toMatchObject({ id })
      expect(forwards(running)).toMatchObject([
        { event_id: id, event_type: 'video.failed', response_status: 204, error: null },
      ])
      expect(await running.interrupt()).toBe(0)
      expect(running.records.at(-1)).toEqual({
        object: 'summary',
        forwarded: 1,
        accepted: 1,
        refused: 0,
        unanswered: 0,
      })
      expect(running.output()).not.toContain(account.key)
    }),
  )

  it.concurrent(
    'forwards the requested types in order, signed with the given secret',
    withDesk(async ({ local, append, fail, listen, idsReceived }) => {
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      const running = await listen('--events', 'video.deleted', '--secret', secret)
      const first = await append()
      await fail()
      const second = await append()
      await forwarded(running, 2)
      expect(idsReceived()).toEqual([first, second])
      expect(local.received.map(({ headers }) => headers['service-delivery-id'])).toEqual([
        '1',
        '2',
      ])
      for (const { headers, body } of local.received)
        await verifyWebhook(body, String(headers['service-signature']), secret)
      expect(running.output()).not.toContain(secret)
    }),
  )

  it.concurrent(
    'forwards an event that commits late although it was created earlier, and ends at Ctrl-C during a request',
    withDesk(async ({ local, append, listen, idsReceived }) => {
      const running = await listen()
      const isWritten = Promise.withResolvers<string>()
      const mayCommit = Promise.withResolvers<void>()
      const late = em().transactional(async (tx) => {
        isWritten.resolve(await append(tx))
        await mayCommit.promise
      })
      const lateId = await isWritten.promise
      const early = await append()
      mayCommit.resolve()
      await late
      await forwarded(running, 2)
      expect(idsReceived()).toEqual([lateId, early])
      local.respond = () => {}
      await append()
      await waitFor('the request', async () => local.received.length === 3)
      expect(await running.interrupt()).toBe(0)
      expect(running.records.at(-1)).toMatchObject({ object: 'summary', forwarded: 2 })
    }),
  )

  it.concurrent(
    'reports a local server that is unreachable, refuses or sends nothing for 15 seconds, does not retry, and continues',
    withDesk(async ({ local, append, listen, idsReceived }) => {
      const running = await listen()
      await local.close()
      const lost = await append()
      await forwarded(running, 1)
      await local.open()
      local.respond = (response) => void response.writeHead(500).end()
      const refused = await append()
      await forwarded(running, 2)
      local.respond = (response) => void response.writeHead(302, { Location: '/elsewhere' }).end()
      const redirected = await append()
      await forwarded(running, 3)
      local.respond = () => {}
      const silent = await append()
      await forwarded(running, 4)
      expect(forwards(running)).toMatchObject([
        { event_id: lost, response_status: null, error: 'connection refused: is it running?' },
        { event_id: refused, response_status: 500, error: null },
        { event_id: redirected, response_status: 302, error: null },
        { event_id: silent, response_status: null, error: 'no response within 15 seconds' },
      ])
      expect(idsReceived()).toEqual([refused, redirected, silent])
      await running.interrupt()
      expect(running.records.at(-1)).toMatchObject({ forwarded: 4, refused: 2, unanswered: 2 })
    }),
  )

  it.concurrent(
    'continues after a restart of the API without missing or repeating events',
    withDesk(async ({ append, listen, idsReceived }) => {
      const port = await freePort()
      const start = () =>
        startServerProcess({
          script: 'api/server.ts',
          baseUrl: `http://127.0.0.1:${port}`,
          env: {
            API_PORT: String(port),
            DATABASE_URL: String(t.db.config.get('clientUrl')),
            MASTER_KEY: t.masterKey,
          },
          logFile: join(folder, 'api.log'),
        })
      const first = await start()
      const running = await listen('--api', first.baseUrl)
      const ids = [await append()]
      await forwarded(running, 1)
      await first.stop()
      ids.push(await append())
      await waitFor('a failed attempt', async () =>
        running.records.some(({ object }) => object === 'waiting'),
      )
      ids.push(await append())
      const second = await start()
      try {
        await forwarded(running, 3)
        ids.push(await append())
        await forwarded(running, 4)
        expect(idsReceived()).toEqual(ids)
      } finally {
        await second.stop()
      }
    }),
    180_000,
  )

  it.concurrent(
    'starts at a time in the past with --since, and waits as long as a 429 response requires',
    withDesk(async ({ append, fail, listen, idsReceived }) => {
      const front = await openFront(() => t.base)
      try {
        const ids = [await append(), await fail()]
        const running = await listen('--api', front.url, '--since', '2026-01-01')
        await forwarded(running, 2)
        front.failNext({ status: 429, headers: { 'Retry-After': '3' } })
        ids.push(await append())
        await forwarded(running, 3)
        // The request that was open already may have brought the event; then the next one gets the 429.
        await waitFor('the wait of three seconds', async () =>
          running.records.some((one) => one.object === 'waiting' && one.wait_ms === 3000),
        )
        expect(idsReceived()).toEqual(ids)
      } finally {
        await front.close()
      }
    }),
  )

  it('finds the API of the running instance and reports an unknown key', async () => {
    const runtime = { databaseUrl: 'postgres://x', temporalAddress: '127.0.0.1:1', api: t.base }
    await writeFile(join(folder, 'runtime.json'), JSON.stringify({ ...runtime, pid: process.pid }))
    const args = ['listen', '--forward-to', NOWHERE, '--data-dir', folder]
    const run = await cliHarness({ REELGATE_API_KEY: 'rg_live_unknown' })(...args)
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toBe(
      `reelgate: The API at ${t.base} refuses: The API key is unknown or revoked.`,
    )
  })

  it.each([
    ['without a key', {}, [], 1, 'REELGATE_API_KEY'],
    ['with a key of the wrong form', {}, ['--key', 'a b'], 1, 'apiKey must be the key'],
    ['with an unknown type', {}, ['--events', 'video.made'], 2, 'Known: video.created'],
    ['with a time that it cannot start at', {}, ['--since', 'never'], 2, '2027-01-31T00:00:00Z.'],
    ['with an invalid secret', {}, ['--secret', 'abc'], 2, 'whsec_'],
    [
      'with a user in the address',
      {},
      ['--forward-to', 'http://a:b@localhost'],
      2,
      'http or https',
    ],
    ['without an API', {}, ['--key', 'rg_live_x', '--api', 'http://127.0.0.1:1'], 1, 'no API'],
  ])('ends with an error %s', async (_what, env, args, status, words) => {
    const run = await cliHarness({ REELGATE_API_KEY: '', ...env })(
      'listen',
      '--forward-to',
      NOWHERE,
      '--api',
      t.base,
      ...args,
    )
    expect(run).toMatchObject({ status, stdout: '' })
    expect(run.stderr).toContain(words)
    expect(run.stderr).not.toContain('    at ')
    expect(run.stderr).not.toContain('rg_live_')
  })

  it('reports the scope that the key lacks without the key', async () => {
    const key = await t.keyFor(t.ours.id, ['videos:read'])
    const args = ['listen', '--forward-to', NOWHERE, '--api', t.base]
    const run = await cliHarness({ REELGATE_API_KEY: key })(...args)
    expect(run.status).toBe(1)
    expect(run.stderr).toContain('does not carry the scope webhooks:read')
    expect(run.stderr).not.toContain(key)
  })
})
