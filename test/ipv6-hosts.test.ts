import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../scripts/embedded/ports.ts'
import { cliProcess } from './fixtures/cli.ts'
import { startServerProcess } from './infrastructure/server-process.ts'
import { createTestDatabase, s3Server, temporalAddress } from './infrastructure/services.ts'

/** Listens at ::1 and passes connections on to a port of 127.0.0.1; returns `[::1]:port`. */
async function openForwarder(parts: AsyncDisposableStack, port: number): Promise<string> {
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1').on('error', () => client.destroy())
    client.on('error', () => upstream.destroy())
    client.pipe(upstream).pipe(client)
  }).listen(0, '::1')
  await once(server, 'listening')
  parts.defer(() => void server.close())
  return `[::1]:${(server.address() as AddressInfo).port}`
}

it('every process listens at ::1 and reaches all services there, by the base addresses that follow from it', async () => {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-ipv6-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const database = parts.adopt(await createTestDatabase(), (created) => created.drop())
  const bucket = await s3Server()
  const forward = (address: string) => openForwarder(parts, Number(new URL(address).port))
  const url = new URL(database.url)
  url.host = await forward(database.url)
  const [api, player, dashboard] = [await freePort(), await freePort(), await freePort()]
  const env = {
    DATABASE_URL: url.href,
    MASTER_KEY: randomBytes(32).toString('hex'),
    S3_ENDPOINT: `http://${await forward(bucket.endpoint)}`,
    S3_REGION: bucket.region,
    S3_BUCKET: bucket.bucket,
    S3_ACCESS_KEY: bucket.accessKey,
    S3_SECRET_KEY: bucket.secretKey,
    TEMPORAL_ADDRESS: await forward(`http://${await temporalAddress()}`),
    REELGATE_DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    API_HOST: '::1',
    API_PORT: String(api),
    PLAYER_HOST: '::1',
    PLAYER_PORT: String(player),
    DASHBOARD_HOST: '[::1]',
    DASHBOARD_PORT: String(dashboard),
    DASHBOARD_BASE_URL: `http://[::1]:${dashboard}`,
  }
  const start = async (script: string, port: number) =>
    parts.adopt(
      await startServerProcess({
        script,
        baseUrl: `http://[::1]:${port}`,
        env,
        logFile: join(folder, `${port}.log`),
      }),
      (server) => server.stop(),
    )
  await Promise.all([
    start('api/server.ts', api),
    start('player/server/main.ts', player),
    start('dashboard/server/main.ts', dashboard),
  ])
  const run = await cliProcess(env)('doctor', '--json')
  const { checks } = run.json<{ checks: { name: string; ok: boolean; detail: string }[] }>()
  const detail = Object.fromEntries(checks.map((check) => [check.name, check.detail]))
  const reached = ['database', 'temporal', 'storage', 'api', 'player', 'dashboard', 'clocks']
  expect(checks.filter(({ name, ok }) => reached.includes(name) && !ok)).toEqual([])
  expect(detail['api']).toBe(`ready at http://[::1]:${api}`)
}, 120_000)
