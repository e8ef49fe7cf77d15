import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '../../commands/accounts/api-keys.ts'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { openDatabase } from '../../db/database.ts'
import type { EntityManager } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { insertVideo } from '../../db/videos.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { parseMasterKeys } from '../../security/sealing.ts'
import type { MasterKeys } from '../../security/sealing.ts'
import { startServerProcess } from '../../test/infrastructure/server-process.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { startBenchPostgres } from '../bench-postgres.ts'

/** The api process and the anchor on one PostgreSQL, and what a call of them takes. */
export interface BenchWorld {
  api: ServerProcess
  anchor: ServerProcess
  /** Each with a video and a key of its own. */
  accounts: BenchAccount[]
  close(): Promise<void>
}

interface BenchAccount {
  apiKey: string
  videoId: string
}

const ACCOUNTS = 16

/** More than any run asks for: what is measured is the counting, not the refusal. */
const NO_LIMIT = '1000000000'

/** Starts the database, the API with its production settings and the anchor, each a process. */
export async function openBenchWorld(launcher: string[]): Promise<BenchWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-api-'))
  const postgres = await startBenchPostgres(folder)
  const masterKey = randomBytes(32).toString('hex')
  const accounts = await fillDatabase(postgres.url, masterKey)
  const logFile = (name: string): string => join(folder, `${name}.log`)
  const anchorPort = await freePort()
  const anchor = await startServerProcess({
    script: 'bench/api/anchor-server.ts',
    args: [String(anchorPort), postgres.url],
    baseUrl: `http://127.0.0.1:${anchorPort}`,
    env: {},
    logFile: logFile('anchor'),
    launcher,
  })
  const apiPort = await freePort()
  const api = await startServerProcess({
    script: 'api/server.ts',
    baseUrl: `http://127.0.0.1:${apiPort}`,
    env: {
      API_PORT: String(apiPort),
      DATABASE_URL: postgres.url,
      MASTER_KEY: masterKey,
      API_REQUESTS_PER_MINUTE: NO_LIMIT,
      API_REQUESTS_PER_DAY: NO_LIMIT,
      LOG_LEVEL: 'info',
    },
    logFile: logFile('api'),
    launcher,
  })
  const close = async (): Promise<void> => {
    await Promise.all([api.stop(), anchor.stop()])
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { api, anchor, accounts, close }
}

async function fillDatabase(url: string, masterKey: string): Promise<BenchAccount[]> {
  await migrate(url)
  const db = await openDatabase({ url, poolSize: 2 })
  try {
    const accounts: BenchAccount[] = []
    for (let made = 0; made < ACCOUNTS; made += 1)
      accounts.push(await makeAccount(db.em.fork(), parseMasterKeys(masterKey)))
    return accounts
  } finally {
    await db.close(true)
  }
}

async function makeAccount(em: EntityManager, masterKeys: MasterKeys): Promise<BenchAccount> {
  const name = 'Bench'
  const account = { name, protection: 'clearkey', storageLimitBytes: null } as const
  const accountId = await createAccount(em, masterKeys, account)
  const apiKey = await createKey(em, { accountId, name, scopes: ['playback:sign'] })
  const videoId = randomBytes(10).toString('hex')
  await insertVideo(em, {
    ...{ id: videoId, accountId, title: 'A film', folderId: null, protection: 'clearkey' },
    // As long as makes the anchor's answer as long as ours.
    description: 'x'.repeat(690),
    sourceUrl: 'https://films.example/film.mp4',
    ...{ keepOriginal: false, reservedBytes: 0 },
  })
  return { apiKey, videoId }
}
