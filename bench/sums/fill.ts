import { randomBytes } from 'node:crypto'
import { createKey } from '../../commands/accounts/api-keys.ts'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { acceptVideo } from '../../commands/videos/accept-video.ts'
import { transitionVideo } from '../../commands/videos/transition-video.ts'
import type { Database } from '../../db/database.ts'
import type { MasterKeys } from '../../security/sealing/sealing.ts'

const VIDEOS = 1_000_000
const VIDEOS_AT_ONCE = 100_000
/** More than is stored: the benchmark measures the sums, not the refusal. */
const LIMIT_BYTES = 1e15

/** An account with a limit of storage, and a key that creates videos. */
export interface LimitedAccount {
  id: number
  apiKey: string
}

/** Creates an account without videos. */
export async function addAccount(db: Database, keys: MasterKeys): Promise<LimitedAccount> {
  const account = { name: 'Bench', protection: 'clearkey', storageLimitBytes: LIMIT_BYTES } as const
  const id = await createAccount(db.em.fork(), keys, account)
  const key = { accountId: id, name: 'Bench', scopes: ['videos:write' as const] }
  return { id, apiKey: await createKey(db.em.fork(), key) }
}

/** Inserts a million ready videos of an account. */
export async function addReadyVideos(db: Database, accountId: number): Promise<void> {
  const em = db.em.fork()
  for (let first = 0; first < VIDEOS; first += VIDEOS_AT_ONCE) {
    await em.execute(
      `insert into video (id, account_id, title, status, source_url, protection, size_bytes, duration_ms)
       select lpad(to_hex(n), 8, '0') || substr(md5(n::text), 1, 12), ?, 'lesson ' || n, 'ready',
         'https://files.example/video.mp4', 'clearkey', 5e7, 600000
       from generate_series(?::int, ?::int) n`,
      [accountId, first + 1, first + VIDEOS_AT_ONCE],
    )
    console.error(`  … ${first + VIDEOS_AT_ONCE} videos`)
  }
  await em.execute('vacuum analyze')
}

/** Adds a video that is encoded; returns its id. */
export async function addRunningVideo(
  db: Database,
  accountId: number,
  sizeBytes: number,
): Promise<string> {
  const order = {
    accountId,
    sizeBytes,
    hasDrmProvider: false,
    sourceUrl: 'https://files.example/video.mp4',
    title: randomBytes(4).toString('hex'),
    description: '',
    folderId: null,
  }
  const { id } = await db.em.fork().transactional((tx) => acceptVideo(tx, order))
  await transitionVideo(db.em.fork(), id, 'processing')
  return id
}
