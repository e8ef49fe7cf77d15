import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paths } from '../player/server/paths.ts'
import { freePort } from '../scripts/embedded/ports.ts'
import { setUpApiFixture } from '../test/fixtures/api.ts'
import { isRunning } from '../test/infrastructure/processes.ts'
import { startServerProcess, type ServerProcess } from '../test/infrastructure/server-process.ts'
import { bundleForServices } from '../test/infrastructure/services.ts'
import { waitFor } from '../test/infrastructure/wait-for.ts'
import { createDrain } from './drain.ts'

const t = setUpApiFixture()
const SCRIPTS = {
  api: 'api/server.ts',
  player: 'player/server/main.ts',
  dashboard: 'dashboard/server/main.ts',
}
const NAMES = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[]
/** The player responds to it without the app. */
const SEGMENT = `${paths.rendition('0123456789abcdef0123', '720p')}/1.m4s`
const processes = new Map<string, ServerProcess>()

beforeAll(async () => {
  await bundleForServices()
  const start = async (name: keyof typeof SCRIPTS) => {
    const port = String(await freePort())
    const one = await startServerProcess({
      script: SCRIPTS[name],
      baseUrl: `http://127.0.0.1:${port}`,
      env: {
        [`${name.toUpperCase()}_PORT`]: port,
        DATABASE_URL: String(t.db.config.get('clientUrl')),
        MASTER_KEY: t.masterKey,
        REELGATE_DATA_DIR: t.folder,
        // Longer than the test: only a second signal ends it.
        DRAIN_DELAY_SECONDS: '300',
      },
      logFile: join(t.folder, `${name}.log`),
    })
    processes.set(name, one)
  }
  await Promise.all(NAMES.map(start))
})
afterAll(() => Promise.all([...processes.values()].map((one) => one.stop())))

const get = (url: string, agent: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(url, { agent }, resolve).on('error', reject).end()
  })

describe('after SIGTERM', () => {
  it.each(NAMES)(
    'the %s is not ready, closes its connections, and accepts requests until the delay or a second signal',
    async (name) => {
      const { baseUrl, pid } = processes.get(name) as ServerProcess
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const before = await get(`${baseUrl}/readyz`, agent)
      expect(before.statusCode).toBe(200)
      expect(before.headers.connection).toBe('keep-alive')
      before.resume()
      process.kill(pid, 'SIGTERM')
      const stopping = await waitFor('the end of readiness', async () => {
        const response = await get(`${baseUrl}/readyz`, agent)
        if (response.statusCode === 503) return response
        response.resume()
      })
      expect(stopping.headers).toMatchObject({ connection: 'close', 'retry-after': '5' })
      expect(await json(stopping)).toEqual({
        status: 'unavailable',
        parts: { process: { status: 'unavailable', reason: 'is stopping' } },
      })
      for (const path of ['/healthz', '/not-there', SEGMENT]) {
        const response = await get(baseUrl + path, agent)
        response.resume()
        expect(response.statusCode).toBeLessThan(500)
        expect(response.headers.connection).toBe('close')
      }
      process.kill(pid, 'SIGTERM')
      await waitFor('its end', async () => !isRunning(pid))
      agent.destroy()
    },
  )
})

describe('responses in progress when the drain begins', () => {
  it('close their connections, also after others have ended', async () => {
    const held: ServerResponse[] = []
    const drain = createDrain((_request, response) => void held.push(response))
    const server = createServer(drain.listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const agent = new Agent({ keepAlive: true })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const begin = async (count: number) => {
      const before = held.length
      const responses = Array.from({ length: count }, () => get(url, agent))
      await waitFor('the requests', async () => held.length === before + count)
      return responses
    }
    const end = async (responses: Promise<IncomingMessage>[], from: number) => {
      for (const response of held.slice(from, from + responses.length)) response.end()
      const ended = await Promise.all(responses)
      for (const response of ended) response.resume()
      return ended.map(({ headers }) => headers.connection)
    }
    const first = await begin(3)
    const second = await begin(2)
    expect(await end(first, 0)).toEqual(['keep-alive', 'keep-alive', 'keep-alive'])
    await waitFor('their ends', async () => held.slice(0, 3).every(({ closed }) => closed))
    const third = await begin(4)
    drain.begin()
    const all = await end([...second, ...third], 3)
    expect(all).toEqual(Array.from({ length: 6 }, () => 'close'))
    agent.destroy()
    server.close()
  })
})
