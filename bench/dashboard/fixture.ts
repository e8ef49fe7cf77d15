import { createAccount } from '../../commands/accounts/create-account.ts'
import { openDatabase, type EntityManager } from '../../db/database.ts'
import { Member } from '../../db/entities/member.ts'
import { insertSession } from '../../db/members/write-dashboard-sessions.ts'
import { putMembership } from '../../db/members/write-members.ts'
import { migrate } from '../../db/migrate.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { createSecretToken, hashSecretToken } from '../../security/tokens/secret-token.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { openBenchServers } from '../servers.ts'

/** The dashboard process on one PostgreSQL, with signed-in members of an account that has many videos. */
export interface DashboardBenchFixture {
  dashboard: ServerProcess
  accountId: number
  /** Sign a request in, each as another member, because the requests of one are limited. */
  headers: Record<string, string>[]
  /** Signs a browser in as the first member. */
  cookie: { name: string; value: string }
  /** Starts the dashboard with a bare page in place of its app, on the same database. */
  startBare(): Promise<ServerProcess>
  close(): Promise<void>
}

export const VIDEO_COUNT = 100_000

/** On plain http, because Chromium opens the process without a proxy. */
const DASHBOARD_BASE = 'http://localhost'

/** Starts the database, fills it, and starts the dashboard with its production settings. */
export async function openDashboardBenchFixture(
  launcher: string[],
  memberCount: number,
): Promise<DashboardBenchFixture> {
  const servers = await openBenchServers('dashboard', launcher)
  const { accountId, tokens } = await fillDatabase(servers, memberCount)
  const start = (script: string): Promise<ServerProcess> =>
    servers.startService(script, 'DASHBOARD_PORT', { DASHBOARD_BASE_URL: DASHBOARD_BASE })
  const name = 'reelgate-80'
  return {
    dashboard: await start('dashboard/server/main.ts'),
    accountId,
    headers: tokens.map((token) => ({
      Cookie: `${name}=${token}`,
      'Sec-Fetch-Site': 'same-origin',
    })),
    cookie: { name, value: tokens[0] ?? '' },
    startBare: () => start('bench/dashboard/bare-server.ts'),
    close: () => servers.close(),
  }
}

async function fillDatabase(
  { databaseUrl: url, masterKey }: { databaseUrl: string; masterKey: string },
  memberCount: number,
) {
  await migrate(url)
  const db = await openDatabase({ url, poolSize: 2 })
  try {
    const em = db.em.fork()
    // With a limit, the overview sums the storage.
    const plan = { name: 'Bench', protection: 'clearkey', storageLimitBytes: 1e15 } as const
    const accountId = await createAccount(em, parseMasterKeys(masterKey), plan)
    await insertVideos(em, accountId)
    await insertRecords(em, accountId)
    // PostgreSQL does the same by itself within a minute. The list is read from the terms of videos too.
    await em.execute('vacuum analyze')
    const tokens: string[] = []
    for (let number = 1; number <= memberCount; number += 1)
      tokens.push(await signIn(em, accountId, number))
    return { accountId, tokens }
  } finally {
    await db.close(true)
  }
}

/** Titles of five words, the last one a number; nine of ten videos are ready. */
const insertVideos = (em: EntityManager, accountId: number): Promise<unknown> =>
  em.execute(
    `insert into video (id, account_id, title, status, source_url, protection, created_at)
     select substr(md5(n::text), 1, 20), ?,
       concat_ws(' ', (array['Opening', 'Evening', 'Summer', 'Physics', 'Chamber'])[1 + n % 5],
         (array['lesson', 'concert', 'lecture', 'interview'])[1 + n % 4],
         (array['about', 'with', 'for'])[1 + n % 3], substr(md5(n::text), 21, 8), n),
       case when n % 10 = 0 then 'failed' else 'ready' end, 'https://files.example/video.mp4',
       'clearkey', now() - n * interval '1 minute'
     from generate_series(1, ?) n`,
    [accountId, VIDEO_COUNT],
  )

/** A team of hundreds, a log of thousands of changes, and usage on every day of a year. */
async function insertRecords(em: EntityManager, accountId: number): Promise<void> {
  await em.execute(
    `with people as (
       insert into member (email, name) select 'colleague-' || n || '@site.example', 'Colleague ' || n
       from generate_series(1, 300) n returning id)
     insert into membership (account_id, member_id, role) select ?, id, 'editor' from people`,
    [accountId],
  )
  await em.execute(
    `insert into audit_entry (account_id, actor_kind, actor_name, action, subject, before, after)
     select ?, 'operator', 'root', 'video.updated', substr(md5(n::text), 1, 20),
       jsonb_build_object('title', 'Lesson ' || n), jsonb_build_object('title', 'Lecture ' || n)
     from generate_series(1, 5000) n`,
    [accountId],
  )
  await em.execute(
    `insert into usage_day (account_id, day, bandwidth_bytes, encoded_ms)
     select ?, current_date - n, n * 1e9, n * 60000 from generate_series(0, 365) n`,
    [accountId],
  )
}

async function signIn(em: EntityManager, accountId: number, number: number): Promise<string> {
  const email = `bench-${number}@site.example`
  const memberId = await em.insert(Member, { email, name: '', passwordHash: null })
  await putMembership(em, { accountId, memberId, role: 'owner' })
  const token = createSecretToken()
  const session = { memberId, ip: '127.0.0.1', agent: 'bench', elevatedUntil: new Date() }
  await insertSession(em, { ...session, tokenHash: hashSecretToken(token) })
  return token
}
