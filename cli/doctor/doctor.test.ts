import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { cliHarness, cliProcess } from '../../test/fixtures/cli.ts'
import { openOutsideHost } from '../../test/infrastructure/outside-host.ts'
import {
  createTestDatabase,
  s3Server,
  temporalAddress,
  type TestDatabase,
} from '../../test/infrastructure/services.ts'
import { openSilentProxy, type SilentProxy } from '../../test/infrastructure/silent-proxy.ts'
import { withClient } from '../../test/infrastructure/with-client.ts'

interface Report {
  checks: { name: string; ok: boolean; detail: string }[]
}

/** Responds to every request with something other than HTTP. */
async function openGarbler(): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end('hello\r\n\r\n'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, server }
}

describe('doctor', () => {
  it('says what is wrong with each part, in one line of its own words', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reelgate-doctor-'))
    const [database, outside, garbler] = await Promise.all([
      createTestDatabase(),
      openOutsideHost(folder, {}),
      openGarbler(),
    ])
    const [host, port] = (await temporalAddress()).split(':')
    const temporal = await openSilentProxy({ host: host ?? '', port: Number(port) })
    temporal.fallSilent()
    const run = await cliProcess({
      DATABASE_URL: database.url,
      MASTER_KEY: randomBytes(32).toString('hex'),
      TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
      S3_ENDPOINT: `http://127.0.0.1:${garbler.port}`,
      S3_ACCESS_KEY: 'a',
      S3_SECRET_KEY: 'b',
      API_BASE_URL: outside.baseUrl,
    })('doctor', '--json')
    garbler.server.close()
    await Promise.all([outside.close(), temporal.close(), database.drop()])
    await rm(folder, { recursive: true })
    const details = Object.fromEntries(
      run.json<Report>().checks.map(({ name, detail }) => [name, detail]),
    )
    expect(details['queue ingest']).toContain('workers wait for Temporal')
    expect(details['temporal']).toMatch(/in time: it hangs/)
    expect(details['storage']).toMatch(
      /^The object storage at http:\S+ \(bucket reelgate\) responds with something else than HTTP/,
    )
    expect(details['api']).toMatch(
      /^https:\S+ has a certificate that this process does not trust: let NODE_EXTRA_CA_CERTS/,
    )
    expect(run.stderr).toMatch(/^\{"error":[^\n]*$|^reelgate: Failed: [^\n]*$/)
  }, 60_000)

  it('says that PostgreSQL has no connection left, once', async () => {
    const database = await createTestDatabase()
    const role = `crowded_${randomBytes(4).toString('hex')}`
    const url = new URL(database.url)
    ;[url.username, url.password] = [role, 'x']
    await withClient(database.url, (client) =>
      client.query(`create role ${role} login password 'x' connection limit 0`),
    )
    const address = await temporalAddress()
    const run = await cliHarness({ DATABASE_URL: url.href, TEMPORAL_ADDRESS: address })(
      'doctor',
      '--json',
    )
    await withClient(database.url, (client) => client.query(`drop role ${role}`))
    await database.drop()
    const details = run.json<Report>().checks.map(({ name, detail }) => `${name}: ${detail}`)
    expect(details.filter((line) => line.includes('PostgreSQL has no connection left'))).toEqual([
      expect.stringMatching(
        /^database: PostgreSQL has no connection left: raise its max_connections/,
      ),
    ])
    expect(details).toContain('outbox: needs the database: see there')
  }, 60_000)
})

describe('doctor while nothing responds', () => {
  const proxies: SilentProxy[] = []
  let database: TestDatabase
  afterEach(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()))
    await database.drop()
  })
  const silent = async (address: string): Promise<string> => {
    const url = new URL(address)
    const proxy = await openSilentProxy({ host: url.hostname, port: Number(url.port) })
    proxy.fallSilent()
    proxies.push(proxy)
    url.port = String(proxy.port)
    return url.href.replace(/\/$/, '')
  }

  it('reports each silent service and ends within ten seconds', async () => {
    database = await createTestDatabase()
    const bucket = await s3Server()
    const nowhere = await silent(bucket.endpoint)
    const temporal = await silent(`http://${await temporalAddress()}`)
    const reelgate = cliProcess({
      DATABASE_URL: await silent(database.url),
      MASTER_KEY: randomBytes(32).toString('hex'),
      API_BASE_URL: nowhere,
      EMBED_BASE_URL: nowhere,
      DASHBOARD_BASE_URL: nowhere,
      S3_ENDPOINT: nowhere,
      S3_REGION: bucket.region,
      S3_BUCKET: bucket.bucket,
      S3_ACCESS_KEY: bucket.accessKey,
      S3_SECRET_KEY: bucket.secretKey,
      TEMPORAL_ADDRESS: temporal.replace('http://', ''),
    })
    const timed = async (...args: string[]) => {
      const startedAtMs = performance.now()
      const run = await reelgate(...args)
      return { run, tookMs: performance.now() - startedAtMs }
    }
    // The time of a command that does nothing on this machine; the doctor has more modules to load.
    const nothing = await timed('--help')
    const { run, tookMs } = await timed('doctor', '--json')
    expect(tookMs).toBeLessThan(10_000 + 3 * nothing.tookMs)
    const failed = run.json<Report>().checks.filter(({ ok }) => !ok)
    expect(failed.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'database',
        'master key',
        'temporal',
        'namespaces',
        'storage',
        'api',
        'player',
        'dashboard',
        'queue ingest',
        'queue download',
        'queue encode-first',
        'queue encode',
        'queue webhooks',
        'queue deliveries',
        'outbox',
        'sequences',
        'partitions',
        'clocks',
      ]),
    )
  }, 120_000)
})
