import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '../../../db/migrate.ts'
import { ensureTemporalServer, pinnedNode, projectDir } from '../../../scripts/bootstrap/tools.mjs'
import { startChild, type Child } from '../../../scripts/embedded/child.ts'
import { startGuard, type Guard } from '../../../scripts/embedded/guard.ts'
import { freePort } from '../../../scripts/embedded/ports.ts'
import { startPostgres } from '../../../scripts/embedded/postgres.ts'
import { openRotatingLog } from '../../../scripts/embedded/rotating-log.ts'
import { startTemporal } from '../../../scripts/embedded/temporal.ts'
import { createS3, s3SettingsOf } from '../../infrastructure/s3.ts'
import { bundleForServices } from '../../infrastructure/services.ts'
import { openSilentProxy, type SilentProxy } from '../../infrastructure/silent-proxy.ts'
import { waitFor } from '../../infrastructure/wait-for.ts'
import type { Integrator } from './integrator.ts'
import { keepRunning, type Part } from './part.ts'
import { openS3Proxy, type S3Proxy } from './s3-proxy.ts'
import { openScratch, type Scratch } from './scratch.ts'

export type PartName = 'postgres' | 'temporal' | 'api' | 'player' | 'worker'

/** A whole installation whose parts can be killed and fail. */
export interface World {
  folder: string
  parts: Record<PartName, Part>
  api: string
  player: string
  databaseUrl: string
  masterKey: string
  /** Temporal, reached directly. */
  temporalAddress: string
  /** Between the worker and Temporal. */
  temporalProxy: SilentProxy
  s3: S3Proxy
  /** The bucket, reached directly. */
  bucket: Awaited<ReturnType<ReturnType<typeof createS3>['createBucket']>>
  scratch: Scratch
  integrator: Integrator
  /** The file that steps the clocks of api, player and worker (`stepped-clock.ts`). */
  clockFile: string
  /** Starts a second worker. */
  startOtherWorker(): Promise<Pick<Part, 'stop'>>
  /** Kills Temporal and removes its store; it starts again with an empty one. Resolves when it runs. */
  loseTemporal(): Promise<void>
  close(): Promise<void>
}

/** What ends with the world, in reverse order. */
type Closers = (() => Promise<unknown>)[]

interface Building {
  folder: string
  guard: Guard
  tell: (line: string) => void
  closers: Closers
}

const STEPPED_CLOCK = join(projectDir, 'test/chaos/service/stepped-clock.ts')

/** Starts every part in `folder`, each behind what will make it fail. */
export async function openWorld(
  folder: string,
  integrator: Integrator,
  tell: (line: string) => void,
): Promise<World> {
  const building = { folder, tell, guard: startGuard(), closers: [] }
  const close = () => closeAll(building)
  try {
    return { ...(await build(building, integrator)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function closeAll({ closers, guard }: Building): Promise<void> {
  for (const close of closers.toReversed()) await close()
  await guard.endAll()
}

async function build(building: Building, integrator: Integrator): Promise<Omit<World, 'close'>> {
  const { folder, guard, closers } = building
  await Promise.all(['work', 'logs', 's3-server', 'tmp'].map((name) => mkdir(join(folder, name))))
  const scratch = await openScratch(join(folder, 'work'))
  closers.push(scratch.close)
  const s3Server = createS3(join(folder, 's3-server'), guard)
  closers.push(s3Server.stop)
  const bucket = await s3Server.createBucket()
  const s3 = await openS3Proxy(bucket.endpoint)
  closers.push(s3.close)
  const { postgres, databaseUrl } = await runPostgres(building)
  const { temporal, temporalAddress, loseTemporal } = await runTemporal(building)
  const [host = '', port = ''] = temporalAddress.split(':')
  const temporalProxy = await openSilentProxy({ host, port: Number(port) })
  closers.push(() => temporalProxy.close())
  const masterKey = randomBytes(32).toString('hex')
  await bundleForServices()
  const [apiPort, playerPort] = [await freePort(), await freePort()]
  const api = `http://127.0.0.1:${apiPort}`
  const player = `http://127.0.0.1:${playerPort}`
  const clockFile = join(folder, 'clock-step')
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    CLOCK_STEP_FILE: clockFile,
    REELGATE_DATA_DIR: folder,
    TMPDIR: join(folder, 'tmp'),
    DATABASE_URL: databaseUrl,
    MASTER_KEY: masterKey,
    TEMPORAL_ADDRESS: `127.0.0.1:${temporalProxy.port}`,
    API_PORT: String(apiPort),
    PLAYER_PORT: String(playerPort),
    API_REQUESTS_PER_MINUTE: '100000',
    API_REQUESTS_PER_DAY: '10000000',
    ...s3SettingsOf({ ...bucket, endpoint: s3.endpoint }),
    EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8,10.99.0.0/16',
    EGRESS_CA_FILE: integrator.caFile,
    EGRESS_DNS_SERVERS: integrator.dnsAddress,
  }
  const run = (name: string, script: string, isReady: (child: Child) => Promise<boolean>) =>
    runProcess(building, { name, script, env, isReady })
  const responses = (base: string) => () =>
    fetch(`${base}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  const runWorker = (name: string) =>
    run(name, 'worker.ts', async (child) => child.hasWrittenReady())
  const parts = {
    postgres,
    temporal,
    api: await run('api', 'api/server.ts', responses(api)),
    player: await run('player', 'player/server/main.ts', responses(player)),
    worker: await runWorker('worker'),
  }
  return {
    folder,
    parts,
    api,
    player,
    databaseUrl,
    masterKey,
    temporalAddress,
    temporalProxy,
    s3,
    bucket,
    scratch,
    integrator,
    clockFile,
    startOtherWorker: () => runWorker('other-worker'),
    loseTemporal,
  }
}

async function runPostgres({ folder, guard, tell, closers }: Building) {
  const [port, log] = [await freePort(), openRotatingLog(join(folder, 'logs', 'postgres.log'))]
  let databaseUrl = ''
  const start = async (): Promise<Child> => {
    const { url, child } = await startPostgres({ dataDir: folder, port, log, guard })
    databaseUrl = url
    return child
  }
  const postgres = await keepRunning('postgres', start, tell)
  closers.push(postgres.stop)
  await migrate(databaseUrl)
  return { postgres, databaseUrl }
}

async function runTemporal({ folder, guard, tell, closers }: Building) {
  const program = await ensureTemporalServer()
  const [port, log] = [await freePort(), openRotatingLog(join(folder, 'logs', 'temporal.log'))]
  const options = { program, dataDir: folder, port, uiPort: null, log, guard }
  let isLost = false
  const start = async (): Promise<Child> => {
    if (isLost) await rm(join(folder, 'temporal'), { recursive: true })
    const { child } = await startTemporal(options)
    isLost = false
    return child
  }
  const temporal = await keepRunning('temporal', start, tell)
  closers.push(temporal.stop)
  const loseTemporal = async (): Promise<void> => {
    isLost = true
    temporal.kill()
    await waitFor('an empty Temporal', async () => !isLost, READY_MS)
  }
  return { temporal, temporalAddress: `127.0.0.1:${port}`, loseTemporal }
}

interface Process {
  name: string
  script: string
  env: NodeJS.ProcessEnv
  isReady: (child: Child) => Promise<boolean>
}

const READY_MS = 120_000

async function runProcess(
  { folder, guard, tell, closers }: Building,
  { name, script, env, isReady }: Process,
): Promise<Part> {
  const log = openRotatingLog(join(folder, 'logs', `${name}.log`))
  const args = ['--no-warnings', '--import', STEPPED_CLOCK, join(projectDir, script)]
  const start = async (): Promise<Child> => {
    const readyWords = 'worker is ready'
    const options = { program: pinnedNode, args, cwd: projectDir, env, log, guard, readyWords }
    const child = startChild(options)
    const isOver = async (): Promise<boolean> => child.end() !== null || (await isReady(child))
    await waitFor(name, isOver, READY_MS).catch(async (error: unknown) => {
      await child.stop()
      throw error
    })
    if (child.end() !== null) throw new Error(`${name} ended: ${child.lastLines()}`)
    return child
  }
  const part = await keepRunning(name, start, tell)
  closers.push(part.stop)
  return part
}
