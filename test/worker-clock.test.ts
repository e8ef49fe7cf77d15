import { writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Installation } from '../doctor/installation.ts'
import { checkAllClocks } from '../doctor/process-clocks.ts'
import { pinnedNode, projectDir } from '../scripts/bootstrap/tools.mjs'
import { freePort } from '../scripts/embedded/ports.ts'
import { formatMasterKeys } from '../security/sealing/sealing.ts'
import { setUpRelayFixture } from './fixtures/relay.ts'
import { closeServer } from './infrastructure/close-server.ts'
import { followAlert } from './infrastructure/follow-alert.ts'
import { until, waitFor } from './infrastructure/wait-for.ts'

const HOUR_MS = 3_600_000
/** The egress of a worker reaches no other port than this one and 443. */
const PORT = 8443
/** Other test files may listen at this port of other addresses. */
const ADDRESS = `127.${process.pid % 250}.${(process.pid >> 8) % 250}.9`

const t = setUpRelayFixture()
let folder: string
let clockFile: string
let receiver: ReturnType<typeof createServer>
let metrics: string
let endpointId: number

beforeAll(async () => {
  await t.stopWorker()
  t.stopWorker = async () => {}
  folder = await mkdtemp(join(tmpdir(), 'reelgate-worker-clock-'))
  clockFile = join(folder, 'clock-step')
  await writeFile(join(folder, 'ca.pem'), t.network.authority.caPem)
  receiver = createServer(await t.network.authority.issue(['clock.test']), t.receiver.listener)
  await new Promise<void>((resolve) => receiver.listen(PORT, ADDRESS, resolve))
  t.network.dns.set('clock.test', [ADDRESS])
  endpointId = (await t.webhooks.addEndpoint(`https://clock.test:${PORT}/`)).id
  metrics = `127.0.0.1:${await freePort()}`
})
afterAll(async () => {
  await closeServer(receiver)
  await rm(folder, { recursive: true, force: true })
})

const stepClock = (ms: number) => writeFileSync(clockFile, String(ms))

const startWorker = () =>
  execa(
    pinnedNode,
    ['--no-warnings', '--import', './test/chaos/service/stepped-clock.ts', 'worker.ts'],
    {
      cwd: projectDir,
      env: {
        CLOCK_STEP_FILE: clockFile,
        DATABASE_URL: t.webhooks.databaseUrl,
        TEMPORAL_ADDRESS: t.temporal.address,
        MASTER_KEY: formatMasterKeys(t.webhooks.masterKeys),
        METRICS_ADDRESS: metrics,
        WORKER_QUEUES: 'webhooks',
        WORK_DIR: folder,
        REELGATE_DATA_DIR: folder,
        EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
        EGRESS_CA_FILE: join(folder, 'ca.pem'),
        EGRESS_DNS_SERVERS: t.network.dns.address,
      },
      all: true,
      reject: false,
    },
  )

const metric = async (path: string) => (await fetch(`http://${metrics}${path}`)).text()
const isReady = async () =>
  fetch(`http://${metrics}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
const examine = () =>
  checkAllClocks({
    storage: null,
    runtime: { api: 'http://127.0.0.1:1', player: 'http://127.0.0.1:1' },
    entityManager: async () => t.webhooks.db.em.fork(),
  } as Partial<Installation> as Installation)
const isInStep = () =>
  examine().then(
    () => true,
    () => false,
  )

it('a worker whose clock is an hour ahead takes no work until it is right, and is named', async () => {
  stepClock(HOUR_MS)
  const early = startWorker()
  const { deliveryId } = await t.webhooks.announceTo(endpointId)
  await waitFor('the worker to report its clock', async () => !(await isInStep()))
  await expect(examine()).rejects.toThrow(
    new RegExp(`^the clock of worker ${early.pid}@\\S+ is 3(600|599) s ahead of the database's: `),
  )
  const { parts } = JSON.parse(await metric('/readyz')) as { parts: Record<string, unknown> }
  expect(parts['clock']).toEqual({
    status: 'unavailable',
    reason: expect.stringMatching(/^is 3(600|599) s ahead of the database's$/),
  })
  expect(await metric('/metrics')).toMatch(/^reelgate_clock_offset_seconds 3(600|599)/m)
  expect(await t.webhooks.execute('select 1 from worker_beat')).toEqual([])
  expect(t.received).toEqual([])

  stepClock(0)
  await until(() => t.isDelivered(deliveryId))
  const signedAt = /t=(\d+)/.exec(JSON.stringify(t.received[0]?.headers))?.[1]
  expect(Math.abs(Number(signedAt) * 1000 - Date.now())).toBeLessThan(60_000)
  expect(await isReady()).toBe(true)
  await waitFor('the worker to report its clock', isInStep)

  stepClock(-HOUR_MS)
  const { exitCode, all } = await early
  expect(exitCode).toBe(1)
  expect(all).toMatch(/the clock is 3(600|599) s behind the database's: the process ends/)
  const found = await followAlert('ReelgateClockOff', { worker: all }, { PROCESS: 'worker' })
  expect(JSON.parse(found.split('\n').at(-1) ?? '')).toMatchObject({ level: 50 })
  expect(await t.webhooks.execute('select 1 from master_key_holder')).toEqual([])

  const late = startWorker()
  await until(async () => (await metric('/readyz').catch(() => '')).includes('behind'))
  late.kill('SIGTERM')
  expect((await late).exitCode).toBe(0)
}, 120_000)
