import type { TaskQueue } from '../temporal/names.ts'
import { check, type Finding } from './check.ts'
import type { Installation } from './installation.ts'

const QUEUES = [
  'ingest',
  'download',
  'encode-first',
  'encode',
  'webhooks',
  'deliveries',
] as const satisfies TaskQueue[]

/** Checks everything that an installation needs and runs. Each check has its own time limit. */
export async function examine(installation: Installation): Promise<Finding[]> {
  // Loaded only here, because the clients of Temporal and S3 load slowly.
  const [services, addresses, namespaces, processes, machine, clocks] = await Promise.all([
    import('./services.ts'),
    import('./database-addresses.ts'),
    import('./namespaces.ts'),
    import('./processes.ts'),
    import('./machine.ts'),
    import('./process-clocks.ts'),
  ])
  const { runtime, config, storage } = installation
  const database = check('database', () =>
    services.checkDatabase(installation).catch(services.ofDatabase),
  )
  const temporal = check('temporal', () => services.checkTemporal(installation))
  const onDatabase = (name: string, probe: (installation: Installation) => Promise<string>) =>
    check(name, () => probe(installation).catch(services.needingDatabase(database)))
  const server = (name: string, address: string, script: string) =>
    check(name, () => processes.checkServer(address, `npm start, or ${script}`))
  return Promise.all([
    check('node', machine.checkNode),
    check('ffmpeg', machine.checkFfmpeg),
    check('packager', machine.checkPackager),
    database,
    ...(config.databasePooler
      ? [check('direct database', () => addresses.checkDirectDatabase(installation))]
      : []),
    onDatabase('master key', services.checkMasterKey),
    temporal,
    check('namespaces', () => namespaces.checkNamespaces(installation, temporal)),
    ...(storage ? [check('storage', () => services.checkStorage(storage))] : []),
    server('api', runtime?.api ?? config.API_BASE_URL, 'api/server.ts'),
    server('player', runtime?.player ?? config.EMBED_BASE_URL, 'player/server/main.ts'),
    server(
      'dashboard',
      runtime?.dashboard ?? config.DASHBOARD_BASE_URL,
      'dashboard/server/main.ts',
    ),
    ...QUEUES.map((queue) =>
      onDatabase(`queue ${queue}`, () => processes.checkQueue(installation, queue, temporal)),
    ),
    onDatabase('outbox', services.checkOutbox),
    onDatabase('sequences', services.checkSequences),
    onDatabase('partitions', services.checkPartitions),
    check('disk', () => machine.checkDisk(installation)),
    onDatabase('clocks', clocks.checkAllClocks),
  ])
}
