import type { Config } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { prepareStorage } from '../storage/object-storage.ts'
import { prepareDataFolder } from './data-folder.ts'
import { startGuard } from './embedded/guard.ts'
import { ensureFirstAccount, readOrMakeMasterKey, type FirstAccount } from './first-start.ts'
import type { Kept } from './keep-running.ts'
import {
  keepPostgres,
  keepProcess,
  keepTemporal,
  type OwnProcess,
  type Surroundings,
} from './kept-services.ts'
import { claimFolder, claimPorts, removeRuntime, writeRuntime } from './runtime-claim.ts'

export interface StackOptions {
  config: Config
  /** What every process inherits; the settings of this stack are put on top. */
  env: Record<string, string | undefined>
  /** Gets a line for each thing that the person at the terminal would want to know. */
  tell: (line: string) => void
}

/** Everything, running on this machine. */
export interface Stack {
  account: FirstAccount
  /** Base URLs without a slash at the end; `temporal` is host:port. */
  addresses: Addresses
}

interface Addresses {
  api: string
  player: string
  temporal: string
  temporalUi: string
}

/** A stack and how to end it, also in the middle of its start. */
export interface StackHandle {
  ready: Promise<Stack>
  /** Stops our own processes, then Temporal and PostgreSQL; each has ten seconds to go. */
  stop(): Promise<void>
}

/** Starts PostgreSQL, Temporal (unless their addresses are given) and our own processes. */
export function startStack(options: StackOptions): StackHandle {
  let stopped: Promise<void> | null = null
  // That a process ends is news only while nothing is being stopped.
  const tell = (line: string) => {
    if (!stopped) options.tell(line)
  }
  const building: Building = { ...options, tell, guard: startGuard(), services: [], processes: [] }
  return { ready: start(building), stop: () => (stopped ??= stopAll(building)) }
}

/** What the start has brought up so far. */
interface Building extends Surroundings {
  services: Kept[]
  processes: Kept[]
}

async function stopAll({ processes, services, guard, config }: Building): Promise<void> {
  await Promise.all(processes.map((kept) => kept.stop()))
  await Promise.all(services.map((kept) => kept.stop()))
  // What is still starting is in neither list.
  await guard.endAll()
  await removeRuntime(config.REELGATE_DATA_DIR)
}

async function start(building: Building): Promise<Stack> {
  const { config } = building
  const dataDir = config.REELGATE_DATA_DIR
  prepareDataFolder(dataDir, { needsDatabase: !config.hasOwnDatabase })
  await claimFolder(dataDir)
  await claimPorts(config)
  const masterKey = readOrMakeMasterKey(dataDir, config.MASTER_KEY)
  const [databaseUrl] = await Promise.all([
    startDatabase(building),
    startTemporalServer(building),
    prepareStorage(config.storage),
  ])
  const account = await ensureFirstAccount({ dataDir, databaseUrl, masterKey })
  await startProcesses(building, {
    ...building.env,
    REELGATE_DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS,
    MASTER_KEY: masterKey,
  })
  const addresses = addressesOf(config)
  const { hasDrmProvider } = config
  const found = { databaseUrl, temporalAddress: addresses.temporal, hasDrmProvider }
  writeRuntime(dataDir, { ...found, ...addresses })
  return { account, addresses }
}

async function startDatabase(building: Building): Promise<string> {
  const given = building.config.DATABASE_URL
  if (given !== undefined) {
    await migrate(given)
    return given
  }
  const { kept, url } = await keepPostgres(building)
  building.services.push(kept)
  await migrate(url)
  return url
}

async function startTemporalServer(building: Building): Promise<void> {
  if (!building.config.hasOwnTemporal) building.services.push(await keepTemporal(building))
}

async function startProcesses(building: Building, env: Surroundings['env']): Promise<void> {
  await Promise.all(
    ownProcesses(building.config).map(async (own) => {
      building.processes.push(await keepProcess(own, { ...building, env }))
    }),
  )
}

function ownProcesses(config: Config): OwnProcess[] {
  const health = (host: string, port: number) => `http://${connectable(host)}:${port}/healthz`
  return [
    { name: 'api', script: 'api/server.ts', healthUrl: health(config.API_HOST, config.API_PORT) },
    {
      name: 'player',
      script: 'player/server/main.ts',
      healthUrl: health(config.PLAYER_HOST, config.PLAYER_PORT),
    },
    { name: 'worker', script: 'worker.ts', readyWords: 'worker is ready' },
  ]
}

// A process that listens on every interface is reached through the loopback one.
const connectable = (host: string) =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host

const addressesOf = (config: Config): Addresses => ({
  api: config.API_BASE_URL,
  player: config.EMBED_BASE_URL,
  temporal: config.TEMPORAL_ADDRESS,
  temporalUi: `http://127.0.0.1:${config.TEMPORAL_UI_PORT}`,
})
