import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { startGuard } from '../../scripts/embedded/guard.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { startPostgres } from '../../scripts/embedded/postgres.ts'
import { openRotatingLog } from '../../scripts/embedded/rotating-log.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { createAccountFixture } from '../fixtures/account.ts'
import { startDnsServer } from '../infrastructure/dns-server.ts'
import { openOutsideHost } from '../infrastructure/outside-host.ts'
import { startServerProcess } from '../infrastructure/server-process.ts'
import { fillAccount, type KnownValues } from './fill-account.ts'

/** The real api process with an account that holds at least one of each resource. */
export interface FuzzFixture {
  baseUrl: string
  apiKey: string
  known: KnownValues
  /** The folder of its logs; kept when the run fails. */
  folder: string
  logFile: string
  close(): Promise<void>
}

const NO_LIMIT = '1000000000'

/** Starts the process with an embedded PostgreSQL and fills the account. */
export async function openFuzzFixture(): Promise<FuzzFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-fuzz-'))
  const log = openRotatingLog(join(folder, 'postgres.log'))
  const guard = startGuard()
  const port = await freePort()
  const postgres = await startPostgres({ dataDir: folder, port, log, guard, durable: false })
  const masterKey = randomBytes(32).toString('hex')
  await migrate(postgres.url)
  const db = await openDatabase({ url: postgres.url, poolSize: 2 })
  const account = await createAccountFixture(db, parseMasterKeys(masterKey))
  const { id: accountId, key: apiKey } = account
  const source = join(folder, 'lesson.mp4')
  const captions = join(folder, 'captions.vtt')
  await writeFile(source, Buffer.alloc(1000))
  await writeFile(captions, 'WEBVTT\n\n00:00.000 --> 00:02.000\nHello.\n')
  const outside = await openOutsideHost(folder, { 'lesson.mp4': source, 'captions.vtt': captions })
  const dns = await startDnsServer()
  const apiPort = await freePort()
  const logFile = join(folder, 'api.log')
  const api = await startServerProcess({
    script: 'api/server.ts',
    baseUrl: `http://127.0.0.1:${apiPort}`,
    env: {
      API_PORT: String(apiPort),
      DATABASE_URL: postgres.url,
      MASTER_KEY: masterKey,
      API_REQUESTS_PER_MINUTE: NO_LIMIT,
      API_REQUESTS_PER_DAY: NO_LIMIT,
      // Nothing leaves this machine: no name exists, and only loopback addresses are allowed.
      EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
      EGRESS_DNS_SERVERS: dns.address,
      EGRESS_CA_FILE: outside.caFile,
    },
    logFile,
  })
  const known = await fillAccount(db, api.baseUrl, { accountId, apiKey, outside: outside.baseUrl })
  const close = async (): Promise<void> => {
    await api.stop()
    await Promise.all([outside.close(), dns.close()])
    await db.close(true)
    await postgres.stop()
    await rm(join(folder, 'postgres'), { recursive: true, force: true })
  }
  return { baseUrl: api.baseUrl, apiKey, known, folder, logFile, close }
}
