import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { openSilentProxy } from '../../test/infrastructure/silent-proxy.ts'
import type { SilentProxy } from '../../test/infrastructure/silent-proxy.ts'
import {
  createTestDatabase,
  s3Server,
  temporalAddress,
} from '../../test/infrastructure/services.ts'
import type { TestDatabase } from '../../test/infrastructure/services.ts'
import { cliProcess } from '../../test/fixtures/cli.ts'

interface Report {
  checks: { name: string; ok: boolean }[]
}

describe('doctor without any answer', () => {
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
        'storage',
        'api',
        'player',
        'dashboard',
        'queue ingest',
        'queue download',
        'queue encode-first',
        'queue encode',
        'queue webhooks',
        'outbox',
        'sequences',
        'clocks',
      ]),
    )
  }, 120_000)
})
