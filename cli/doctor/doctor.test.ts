import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { openDatabase } from '../../db/database.ts'
import type { EntityManager } from '../../db/database.ts'
import { startService } from '../../test/fixtures/running-service.ts'
import type { RunningService } from '../../test/fixtures/running-service.ts'
import { openSilentProxy } from '../../test/infrastructure/silent-proxy.ts'
import type { SilentProxy } from '../../test/infrastructure/silent-proxy.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import {
  createTestDatabase,
  s3Server,
  temporalAddress,
} from '../../test/infrastructure/services.ts'
import type { TestDatabase } from '../../test/infrastructure/services.ts'
import { cliHarness, cliProcess } from '../../test/fixtures/cli.ts'
import { readRuntime } from '../../processes/runtime-file.ts'

interface Report {
  ok: boolean
  checks: { name: string; ok: boolean; detail: string }[]
}

describe('doctor with a running service', () => {
  let dataDir: string
  let service: RunningService

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'reelgate-doctor-'))
    service = await startService(dataDir)
  }, 180_000)
  afterAll(async () => {
    await service?.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  })

  const doctor = async (env: Record<string, string> = {}) => {
    const reelgate = cliHarness({ DATABASE_URL: '', MASTER_KEY: '', ...env })
    const run = await reelgate('doctor', '--json', '--data-dir', dataDir)
    const { ok, checks } = run.json<Report>()
    const failed = checks.filter((one) => !one.ok)
    expect([ok, run.status]).toEqual(failed.length === 0 ? [true, 0] : [false, 1])
    const words = failed.map(({ name, detail }) => `${name}: ${detail}`)
    return { failed: failed.map(({ name }) => name), words: words.join('\n') }
  }
  // On a busy machine, healthy processes may answer late too.
  const untilItFinds = (names: string[], env: Record<string, string> = {}) =>
    waitFor(`doctor to find ${names.join(', ') || 'nothing'}`, async () => {
      const found = await doctor(env)
      return found.failed.join() === names.join() && found.words.concat(' ')
    })
  const pause = async (script: RegExp) => {
    const pid = await service.findChild(script)
    if (pid === null) throw new Error('no such process')
    process.kill(pid, 'SIGSTOP')
    return () => process.kill(pid, 'SIGCONT')
  }

  it('runs with processes that report the versions of their master key', async () => {
    const reelgate = cliHarness({ DATABASE_URL: '', MASTER_KEY: '' })
    const status = async () => {
      const run = await reelgate('master-key', 'status', '--json', '--data-dir', dataDir)
      return run.json<{ percent: number; processes: { process: string; versions: number[] }[] }>()
    }
    const { percent, processes } = await waitFor('all processes', async () => {
      const found = await status()
      return found.processes.length === 4 && found
    })
    expect(percent).toBe(100)
    const names = processes.map(({ process, versions }) => [process.split(' ')[0], versions])
    expect(names).toEqual(['api', 'dashboard', 'player', 'worker'].map((name) => [name, [1]]))
  })

  it('reports each process that stops, a wrong master key and a waiting workflow request, and success when all is well', async () => {
    await untilItFinds([])
    const wakeApi = await pause(/api\/server\.ts/)
    const wakeWorker = await pause(/worker\.ts/)
    const otherKey = { MASTER_KEY: randomBytes(32).toString('hex') }
    const queues = ['queue ingest', 'queue encode-first', 'queue encode', 'queue webhooks']
    const words = await untilItFinds(['master key', 'api', ...queues], otherKey)
    expect(words).toContain('The master key of version 1 is not the one that sealed')
    expect(words).toMatch(/^api: no answer at .*\/readyz: is it running\? \(/m)
    expect(words).toMatch(/^queue ingest: no worker serves it: start one/m)
    wakeApi()
    wakeWorker()
    const wakePlayer = await pause(/player\/server\/main\.ts/)
    const wakeDashboard = await pause(/dashboard\/server\/main\.ts/)
    await withDatabase((em) =>
      em.execute(
        `insert into outbox (command, subject_id, account_id, created_at, due_at)
         values ('deliver-webhook', '1', 1, now() - interval '1 hour', now() + interval '1 hour')`,
      ),
    )
    expect(await untilItFinds(['player', 'dashboard', 'outbox'])).toMatch(
      /the oldest workflow request has waited for 3\d\d\d s: is/,
    )
    wakePlayer()
    wakeDashboard()
    await withDatabase((em) => em.execute('delete from outbox'))
    await untilItFinds([])
  }, 400_000)

  async function withDatabase(work: (em: EntityManager) => Promise<unknown>): Promise<void> {
    const runtime = await readRuntime(dataDir)
    const database = await openDatabase({ url: runtime?.databaseUrl ?? '', poolSize: 1 })
    await work(database.em.fork())
    await database.close(true)
  }
})

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
    // The time of a command that does nothing on this machine.
    const nothing = await timed('--help')
    const { run, tookMs } = await timed('doctor', '--json')
    expect(tookMs).toBeLessThan(10_000 + nothing.tookMs)
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
        'queue encode-first',
        'queue encode',
        'queue webhooks',
        'outbox',
        'clocks',
      ]),
    )
  }, 120_000)
})
