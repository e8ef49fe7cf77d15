import { Agent, request, type IncomingMessage } from 'node:http'
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
