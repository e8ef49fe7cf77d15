import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../../scripts/embedded/ports.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { startServerProcess } from '../../test/infrastructure/server-process.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'

const t = setUpApiFixture()

it('responds to the requests that wait for events when the process stops, after the delay, and closes their connections', async () => {
  const port = await freePort()
  const api = await startServerProcess({
    script: 'api/server.ts',
    baseUrl: `http://127.0.0.1:${port}`,
    env: {
      API_PORT: String(port),
      DATABASE_URL: String(t.db.config.get('clientUrl')),
      MASTER_KEY: t.masterKey,
      DRAIN_DELAY_SECONDS: '1',
    },
    logFile: join(t.folder, 'api.log'),
  })
  const { key } = await t.makeAccount()
  const waiting = fetch(`${api.baseUrl}/v1/events?wait_seconds=25`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  await waitFor('the request', async () => {
    const counts = await t.db.em.fork().execute('select 1 from api_key_rate')
    return counts.length > 0
  })
  await api.stop()
  const response = await waiting
  expect(response.status).toBe(200)
  expect(response.headers.get('Connection')).toBe('close')
  expect(await response.json()).toMatchObject({ object: 'list', data: [] })
})
