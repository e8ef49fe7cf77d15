import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase, type Database } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { ensureTemporalServer } from '../../scripts/bootstrap/tools.mjs'
import { bundleFolder } from '../../scripts/embedded/bundle-folder.ts'
import { startGuard } from '../../scripts/embedded/guard.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { openRotatingLog } from '../../scripts/embedded/rotating-log.ts'
import { startTemporal, type TemporalServer } from '../../scripts/embedded/temporal.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { createAccountFixture } from '../../test/fixtures/account.ts'
import { fillAccount, type KnownValues } from '../../test/fuzz/fill-account.ts'
import { startDnsServer } from '../../test/infrastructure/dns-server.ts'
import { openParts } from '../../test/infrastructure/open-parts.ts'
import { openOutsideHost, type OutsideHost } from '../../test/infrastructure/outside-host.ts'
import { startPgbouncer, type Pgbouncer } from '../../test/infrastructure/pgbouncer.ts'
import { startServerProcess, type ServerProcess } from '../../test/infrastructure/server-process.ts'
import { openBenchServers, type BenchServers } from '../servers.ts'

/** How many processes of each kind run: forty together. */
const COUNTS = { api: 14, player: 10, dashboard: 4, worker: 12 } as const
/** A machine with two processors cannot start all at once. */
const STARTED_AT_ONCE = 4
const SESSIONS = 20

type Kind = keyof typeof COUNTS

const SCRIPTS: Record<Kind, { script: string; address: (port: number) => Record<string, string> }> =
  {
    api: { script: 'api/server.ts', address: (port) => ({ API_PORT: String(port) }) },
    player: { script: 'player/server/main.ts', address: (port) => ({ PLAYER_PORT: String(port) }) },
    dashboard: {
      script: 'dashboard/server/main.ts',
      address: (port) => ({ DASHBOARD_PORT: String(port) }),
    },
    worker: {
      script: 'worker.ts',
      address: (port) => ({
        METRICS_ADDRESS: `127.0.0.1:${port}`,
        WORKER_QUEUES: 'ingest,webhooks',
      }),
    },
  }

/** A whole installation whose processes reach PostgreSQL through PgBouncer. */
export interface PooledInstallation {
  folder: string
  pooler: Pgbouncer
  /** Of PostgreSQL itself. */
  databaseUrl: string
  processes: Processes
  /** Whose objects stay as they are. */
  called: FilledAccount
  /** Whose objects the test of the API changes. */
  tested: FilledAccount
}

type Processes = Record<Kind, ServerProcess[]>

export interface FilledAccount {
  accountId: number
  apiKey: string
  known: KnownValues
}

export const PROCESS_COUNT = Object.values(COUNTS).reduce((sum, count) => sum + count, 0)

/** Starts PostgreSQL, PgBouncer, Temporal, an integrator's server and the processes, and fills two accounts. */
export const openPooledInstallation = (): Promise<
  PooledInstallation & { close: () => Promise<void> }
> => openParts(openInstallation)

async function openInstallation(parts: AsyncDisposableStack): Promise<PooledInstallation> {
  const servers = parts.adopt(await openBenchServers('pooler', []), (opened) => opened.close())
  const { folder, databaseUrl } = servers
  await migrate(databaseUrl)
  const pooler = parts.adopt(await startPgbouncer(databaseUrl, { poolSize: SESSIONS }), (started) =>
    started.stop(),
  )
  const temporal = parts.adopt(await startOwnTemporal(folder), (started) => started.stop())
  const outside = parts.adopt(await openFiles(folder), (opened) => opened.close())
  const dns = parts.adopt(await startDnsServer(), (started) => started.close())
  const env = {
    DATABASE_URL: pooler.through(databaseUrl),
    DATABASE_DIRECT_URL: databaseUrl,
    MASTER_KEY: servers.masterKey,
    TEMPORAL_ADDRESS: temporal.address,
    REELGATE_DATA_DIR: folder,
    PREBUILT_DIR: (await bundleFolder()) ?? '',
    API_REQUESTS_PER_MINUTE: NO_LIMIT,
    API_REQUESTS_PER_DAY: NO_LIMIT,
    EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
    EGRESS_DNS_SERVERS: dns.address,
    EGRESS_CA_FILE: outside.caFile,
  }
  const processes: Processes = { api: [], player: [], dashboard: [], worker: [] }
  parts.defer(async () => {
    await Promise.all(Object.values(processes).flatMap((some) => some.map((one) => one.stop())))
  })
  await startProcesses(processes, folder, env)
  const make = () => makeAccount(servers, processes.api[0]?.baseUrl ?? '', outside.baseUrl)
  const [called, tested] = [await make(), await make()]
  return { folder, pooler, databaseUrl, processes, called, tested }
}

const NO_LIMIT = '1000000000'

async function openFiles(folder: string): Promise<OutsideHost> {
  const files = {
    'lesson.mp4': Buffer.alloc(1000),
    'captions.vtt': Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\nHello.\n'),
  }
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  const paths = Object.keys(files).map((name) => [name, join(folder, name)])
  return openOutsideHost(folder, Object.fromEntries(paths))
}

async function startOwnTemporal(dataDir: string): Promise<TemporalServer> {
  const [program, port, guard] = [await ensureTemporalServer(), await freePort(), startGuard()]
  const log = openRotatingLog(join(dataDir, 'temporal.log'))
  return startTemporal({ program, dataDir, guard, port, uiPort: null, log })
}

async function startProcesses(
  processes: Processes,
  folder: string,
  env: Record<string, string>,
): Promise<void> {
  const start = async (kind: Kind): Promise<void> => {
    const port = await freePort()
    const { script, address } = SCRIPTS[kind]
    processes[kind].push(
      await startServerProcess({
        script,
        baseUrl: `http://127.0.0.1:${port}`,
        env: { ...env, ...address(port) },
        logFile: join(folder, `${kind}.log`),
      }),
    )
  }
  const kinds = Object.entries(COUNTS) as [Kind, number][]
  // The first of each kind bundles what the others read.
  for (const [kind] of kinds) await start(kind)
  const others = kinds.flatMap(([kind, count]) => Array<Kind>(count - 1).fill(kind))
  while (others.length > 0) {
    await Promise.all(others.splice(0, STARTED_AT_ONCE).map(start))
    console.error(`  … ${PROCESS_COUNT - others.length} processes are ready`)
  }
}

async function makeAccount(
  { databaseUrl: url, masterKey }: BenchServers,
  apiBase: string,
  outside: string,
): Promise<FilledAccount> {
  const db: Database = await openDatabase({ url, poolSize: 1 })
  try {
    const { id: accountId, key: apiKey } = await createAccountFixture(
      db,
      parseMasterKeys(masterKey),
    )
    const known = await fillAccount(db, apiBase, { accountId, apiKey, outside })
    return { accountId, apiKey, known }
  } finally {
    await db.close(true)
  }
}
