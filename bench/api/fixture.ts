import { randomBytes } from 'node:crypto'
import { createKey } from '../../commands/accounts/api-keys.ts'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { openDatabase, type EntityManager } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { insertVideo } from '../../db/videos/write-videos.ts'
import type { Scope } from '../../domain/accounts/scopes.ts'
import { parseMasterKeys, type MasterKeys } from '../../security/sealing/sealing.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { openBenchServers } from '../servers.ts'

/** The API process and its anchor on one PostgreSQL, and accounts to call them with. */
export interface ApiBenchFixture {
  api: ServerProcess
  anchor: ServerProcess
  /** Each with a separate video and key. */
  accounts: BenchAccount[]
  close(): Promise<void>
}

export interface BenchAccount {
  apiKey: string
  videoId: string
}

const ACCOUNTS = 16

/** More than any run requests: the benchmark measures the counting, not the refusal. */
export const NO_LIMIT = '1000000000'

/** Starts the database, the anchor, and the API with its production settings. */
export async function openApiBenchFixture(launcher: string[]): Promise<ApiBenchFixture> {
  const servers = await openBenchServers('api', launcher)
  const accounts = await fillDatabase(servers.databaseUrl, servers.masterKey)
  const anchor = await servers.startAnchor('bench/anchor-server.ts', servers.databaseUrl, 'api')
  const api = await servers.startService('api/server.ts', 'API_PORT', {
    API_REQUESTS_PER_MINUTE: NO_LIMIT,
    API_REQUESTS_PER_DAY: NO_LIMIT,
  })
  return { api, anchor, accounts, close: () => servers.close() }
}

/** Makes the tables, and accounts with keys that carry `scopes`. */
export async function fillDatabase(
  url: string,
  masterKey: string,
  scopes: readonly Scope[] = ['playback:sign'],
): Promise<BenchAccount[]> {
  await migrate(url)
  const db = await openDatabase({ url, poolSize: 2 })
  try {
    const accounts: BenchAccount[] = []
    for (let made = 0; made < ACCOUNTS; made += 1)
      accounts.push(await makeAccount(db.em.fork(), parseMasterKeys(masterKey), scopes))
    return accounts
  } finally {
    await db.close(true)
  }
}

async function makeAccount(
  em: EntityManager,
  masterKeys: MasterKeys,
  scopes: readonly Scope[],
): Promise<BenchAccount> {
  const name = 'Bench'
  const account = { name, protection: 'clearkey', storageLimitBytes: null } as const
  const accountId = await createAccount(em, masterKeys, account)
  const apiKey = await createKey(em, { accountId, name, scopes: [...scopes] })
  const videoId = randomBytes(10).toString('hex')
  await insertVideo(em, {
    id: videoId,
    accountId,
    title: 'A video',
    folderId: null,
    protection: 'clearkey',
    // Makes the anchor's response as long as the API's.
    description: 'x'.repeat(690),
    sourceUrl: 'https://files.example/video.mp4',
    keepOriginal: false,
    reservedBytes: 0,
  })
  return { apiKey, videoId }
}
