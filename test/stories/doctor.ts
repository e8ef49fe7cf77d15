import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type EntityManager } from '../../db/database.ts'
import { readRuntime } from '../../processes/runtime-file.ts'
import { cliHarness } from '../fixtures/cli.ts'
import type { RunningService } from '../fixtures/running-service.ts'
import { itOfAll } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'

interface Report {
  ok: boolean
  checks: { name: string; ok: boolean; detail: string }[]
}

/** The stories of the doctor of an installation that is well; they leave it so. */
export const describeDoctor = (installation: () => RunningService): void => {
  describe('doctor with a running service', () => {
    let dataDir: string
    let service: RunningService

    beforeAll(() => {
      service = installation()
      dataDir = service.data_dir
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
    // On a busy machine, healthy processes may respond late too.
    const untilItFinds = (names: string[], env: Record<string, string> = {}) =>
      waitFor(`doctor to find ${names.join(', ') || 'nothing'}`, async () => {
        const found = await doctor(env)
        return found.failed.join() === names.join() && found.words.concat(' ')
      })
    const pause = (script: RegExp) => {
      const wake = service.freezeChild(script)
      if (wake === null) throw new Error('no such process')
      return wake
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

    itOfAll(
      'reports each process that stops, a wrong master key and a waiting workflow request, and success when all is well',
      async () => {
        await untilItFinds([])
        const wakeApi = pause(/api\/server\.ts/)
        const wakeWorker = pause(/worker\.ts/)
        const otherKey = { MASTER_KEY: randomBytes(32).toString('hex') }
        const names = ['ingest', 'encode-first', 'encode', 'webhooks', 'deliveries']
        const queues = names.map((name) => `queue ${name}`)
        const words = await untilItFinds(['master key', 'api', ...queues], otherKey)
        expect(words).toContain('The master key of version 1 is not the one that sealed')
        expect(words).toMatch(/^api: no response at .*\/readyz: is it running\? \(/m)
        expect(words).toMatch(/^queue ingest: no worker serves it: start one/m)
        wakeApi()
        wakeWorker()
        const wakePlayer = pause(/player\/server\/main\.ts/)
        const wakeDashboard = pause(/dashboard\/server\/main\.ts/)
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
      },
      400_000,
    )

    async function withDatabase(work: (em: EntityManager) => Promise<unknown>): Promise<void> {
      const runtime = await readRuntime(dataDir)
      const database = await openDatabase({ url: runtime?.databaseUrl ?? '', poolSize: 1 })
      await work(database.em.fork())
      await database.close(true)
    }
  })
}
