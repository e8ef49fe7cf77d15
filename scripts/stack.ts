import { existsSync } from 'node:fs'
import { restoreBackup } from '../cli/backup/restore-backup.ts'
import type { Config } from '../config/config.ts'
import { migrate } from '../db/migrate.ts'
import { httpAddress } from '../domain/http-address.ts'
import type { Address } from '../processes/listen.ts'
import { parseMasterKeys } from '../security/sealing/sealing.ts'
import { createStorage, prepareStorage } from '../storage/object-storage.ts'
import { prepareDataFolder } from './data-folder.ts'
import { bundleFolder } from './embedded/bundle-folder.ts'
import { startGuard } from './embedded/guard.ts'
import {
  ensureFirstAccount,
  readOrMakeMasterKey,
  requireMasterKey,
  type FirstAccount,
} from './first-start.ts'
import { ensureOwnerLink } from './owner-link.ts'
import { claimFolder, claimPorts, removeRuntime, writeRuntime } from './runtime-claim.ts'
import type { Supervised } from './supervise.ts'
import {
  supervisePostgres,
  superviseProcess,
  superviseTemporal,
  type ServiceProcess,
  type SupervisorOptions,
} from './supervised-services.ts'

export interface StackOptions {
  config: Config
  /** The environment that every process inherits, below the settings of this stack. */
  env: Record<string, string | undefined>
  /** Receives each line that the terminal should show. */
  tell: (line: string) => void
  /** A folder of backups, whose newest is restored before the processes start. */
  restoreFrom?: string | undefined
}

/** The running service. */
export interface Stack {
  account: FirstAccount
  /** Makes its reader the owner of that account, once; null if the account has a member. */
  ownerLink: string | null
  /** Base URLs without a trailing slash; `temporal` is host:port. */
  addresses: Addresses
}

interface Addresses {
  api: string
  player: string
  dashboard: string
  temporal: string
  temporalUi: string
}

/** A starting or running stack. */
export interface StackHandle {
  ready: Promise<Stack>
  /** Stops the processes of the service, then Temporal and PostgreSQL; each has ten seconds to end. */
  stop(): Promise<void>
}

/** Starts the API, player, dashboard and worker, and embedded PostgreSQL and Temporal unless their addresses are set. */
export function startStack(options: StackOptions): StackHandle {
  let stopped: Promise<void> | null = null
  // While the stack stops, the end of a process is expected.
  const tell = (line: string) => {
    if (!stopped) options.tell(line)
  }
  const building: Building = { ...options, tell, guard: startGuard(), services: [], processes: [] }
  return { ready: start(building), stop: () => (stopped ??= stopAll(building)) }
}

/** A stack that is starting, with the processes that have started so far. */
interface Building extends SupervisorOptions {
  restoreFrom?: string | undefined
  services: Supervised[]
  processes: Supervised[]
}

async function stopAll({ processes, services, guard, config }: Building): Promise<void> {
  await Promise.all(processes.map((supervised) => supervised.stop()))
  await Promise.all(services.map((supervised) => supervised.stop()))
  // Processes that are still starting are in neither list.
  await guard.endAll()
  await removeRuntime(config.REELGATE_DATA_DIR)
}

async function start(building: Building): Promise<Stack> {
  const { config } = building
  const dataDir = config.REELGATE_DATA_DIR
  prepareDataFolder(dataDir, { needsDatabase: !config.hasOwnDatabase })
  await claimFolder(dataDir)
  await claimPorts(config)
  if (building.restoreFrom !== undefined) requireMasterKey(dataDir, config.MASTER_KEY)
  const masterKey = readOrMakeMasterKey(dataDir, config.MASTER_KEY)
  await prepareStorage(config.storage)
  const [databaseUrl, bundles] = await Promise.all([
    startDatabase(building, masterKey),
    existsSync(config.PREBUILT_DIR) ? config.PREBUILT_DIR : bundleFolder(),
    startTemporalServer(building),
  ])
  const isRestored = building.restoreFrom !== undefined
  const account = await ensureFirstAccount({ dataDir, databaseUrl, masterKey, isRestored })
  const ownerLink = await ensureOwnerLink({
    dataDir,
    databaseUrl,
    accountId: account.accountId,
    dashboardBase: config.DASHBOARD_BASE_URL,
  })
  await startProcesses(building, {
    ...building.env,
    REELGATE_DATA_DIR: dataDir,
    DATABASE_URL: config.DATABASE_URL ?? databaseUrl,
    DATABASE_DIRECT_URL: config.databasePooler ? databaseUrl : '',
    TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS,
    TEMPORAL_UI_BASE_URL: config.temporalUiBase ?? '',
    MASTER_KEY: masterKey,
    PREBUILT_DIR: bundles,
    // Those above are complete; beside them the processes would refuse these.
    DATABASE_URL_FILE: '',
    DATABASE_DIRECT_URL_FILE: '',
    DATABASE_PASSWORD: '',
    DATABASE_PASSWORD_FILE: '',
    MASTER_KEY_FILE: '',
  })
  const addresses = addressesOf(config)
  const { hasDrmProvider } = config
  const found = { databaseUrl, temporalAddress: addresses.temporal, hasDrmProvider }
  writeRuntime(dataDir, { ...found, ...addresses })
  return { account, ownerLink, addresses }
}

/** Resolves to the address of PostgreSQL itself, once it is migrated. */
async function startDatabase(building: Building, masterKey: string): Promise<string> {
  const url = building.config.DATABASE_DIRECT_URL ?? (await startPostgres(building))
  if (building.restoreFrom !== undefined) await restore(building, url, masterKey)
  await migrate(url)
  return url
}

async function startPostgres(building: Building): Promise<string> {
  const { supervised, url } = await supervisePostgres(building)
  building.services.push(supervised)
  return url
}

async function restore(
  { restoreFrom: dir = '', config, tell }: Building,
  databaseUrl: string,
  masterKey: string,
): Promise<void> {
  await restoreBackup({
    dir,
    databaseUrl,
    masterKeys: parseMasterKeys(masterKey),
    storage: createStorage(config.storage),
    skipsDamaged: false,
    note: tell,
  })
}

async function startTemporalServer(building: Building): Promise<void> {
  if (!building.config.hasOwnTemporal) building.services.push(await superviseTemporal(building))
}

async function startProcesses(building: Building, env: SupervisorOptions['env']): Promise<void> {
  const { metricsAddress } = building.config
  await Promise.all(
    serviceProcesses(building.config).map(async (process, index) => {
      const metrics = metricsAddress && {
        METRICS_ADDRESS: nthAddress(metricsAddress, index),
      }
      const options = { ...building, env: { ...env, ...metrics } }
      building.processes.push(await superviseProcess(process, options))
    }),
  )
}

/** Processes on one machine cannot share a port. */
const nthAddress = ({ host, port }: Address, index: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port + index}`

function serviceProcesses(config: Config): ServiceProcess[] {
  const health = (host: string, port: number) => `${httpAddress(connectable(host), port)}/healthz`
  return [
    { name: 'api', script: 'api/server.ts', healthUrl: health(config.API_HOST, config.API_PORT) },
    {
      name: 'player',
      script: 'player/server/main.ts',
      healthUrl: health(config.PLAYER_HOST, config.PLAYER_PORT),
    },
    {
      name: 'dashboard',
      script: 'dashboard/server/main.ts',
      healthUrl: health(config.DASHBOARD_HOST, config.DASHBOARD_PORT),
    },
    { name: 'worker', script: 'worker.ts', readyWords: 'worker is ready' },
  ]
}

// A process that listens on every interface also listens on the loopback interface.
const connectable = (host: string) =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host

const addressesOf = (config: Config): Addresses => ({
  api: config.API_BASE_URL,
  player: config.EMBED_BASE_URL,
  dashboard: config.DASHBOARD_BASE_URL,
  temporal: config.TEMPORAL_ADDRESS,
  temporalUi: config.temporalUiBase ?? `http://127.0.0.1:${config.TEMPORAL_UI_PORT}`,
})
