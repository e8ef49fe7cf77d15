import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import pg from 'pg'
import { readRuntime } from '../../processes/runtime-file.ts'
import { inheritedEnvironment } from '../../scripts/bootstrap/tools.mjs'
import { startGuard } from '../../scripts/embedded/guard.ts'
import { startService, type RunningService } from '../../test/fixtures/running-service.ts'
import { openOutsideHost } from '../../test/infrastructure/outside-host.ts'
import { createS3, s3SettingsOf } from '../../test/infrastructure/s3.ts'
import { COMMITS } from '../count-commits.ts'
import { startEncodeWorker, type EncodeWorker } from './encode-worker.ts'

/** The whole service on a real S3 server, whose own worker does not encode. */
export interface ScaleFixture {
  service: RunningService
  temporal: Client
  /** The address from which the service downloads a file of the fixture. */
  sourceUrl: (name: string) => string
  /** `name` is that of its folder: a worker has the scratch space of the one before with the same name. */
  startWorker: (core: number, name?: string) => Promise<EncodeWorker>
  /** How many transactions PostgreSQL has committed for the service since its start. */
  countCommits: () => Promise<number>
  readStatus: (videoId: string) => Promise<string | undefined>
  close: () => Promise<void>
}

/** Starts it with `files` (name to path) as sources. */
export async function openScaleFixture(
  folder: string,
  files: Record<string, string>,
): Promise<ScaleFixture> {
  const guard = startGuard()
  const s3 = createS3(folder, guard)
  const bucket = await s3.createBucket()
  const host = await openOutsideHost(folder, files)
  const settings = {
    ...s3SettingsOf(bucket),
    EGRESS_CA_FILE: host.caFile,
    LOG_LEVEL: 'warn',
  }
  const dataDir = join(folder, 'data')
  const service = await startService(dataDir, { ...settings, WORKER_QUEUES: 'ingest,webhooks' })
  const connection = await Connection.connect({ address: service.temporal })
  const addresses = await addressesOf(service)
  const database = addresses.DATABASE_URL
  const env = { ...inheritedEnvironment(), ...settings, ...addresses }
  const workers: EncodeWorker[] = []
  return {
    service,
    temporal: new Client({ connection }),
    sourceUrl: (name) => `${host.baseUrl}/files/${name}`,
    async startWorker(core, name = `core-${core}`) {
      const options = { core, workDir: join(folder, name), endpoint: bucket.endpoint, env, guard }
      const worker = await startEncodeWorker(options)
      workers.push(worker)
      return worker
    },
    countCommits: async () =>
      (await query<{ count: number }>(database, COMMITS))?.count ?? Number.NaN,
    readStatus: async (videoId) =>
      (await query<{ status: string }>(database, STATUS, [videoId]))?.status,
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()))
      await connection.close()
      await service.stop()
      await host.close()
      await s3.stop()
    },
  }
}

async function addressesOf({ data_dir: dataDir, temporal }: RunningService) {
  const runtime = await readRuntime(dataDir)
  const masterKey = await readFile(join(dataDir, 'master.key'), 'utf8')
  return {
    DATABASE_URL: runtime?.databaseUrl ?? '',
    TEMPORAL_ADDRESS: temporal,
    MASTER_KEY: masterKey.trim(),
  }
}

const STATUS = 'select status from video where id = $1'

async function query<Row extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
  values: unknown[] = [],
): Promise<Row | undefined> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<Row>(text, values)
  await client.end()
  return rows[0]
}
