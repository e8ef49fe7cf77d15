import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from '../../db/database.ts'
import { GrowingOutline, Rendition, Video } from '../../db/entities/video.ts'
import { insertChunk } from '../../db/ingest/write-rendition-chunks.ts'
import { migrate } from '../../db/migrate.ts'
import { SESSION_HEADER } from '../../player/server/session.ts'
import { deriveKeys, parseMasterKeys } from '../../security/sealing/sealing.ts'
import { signSession } from '../../security/tokens/session-token.ts'
import { insertPublishedVideo, RUNG } from '../../test/fixtures/published-video.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { percentile } from '../load.ts'
import { openBenchServers, type BenchServers } from '../servers.ts'
import { startCrowd, type Crowded } from './simulate-viewers.ts'

const VIEWERS = 100_000
/** One player process has a share of them. */
const SHARE = 1 / 100
/** Each viewer has sent something, and the pace is settled. */
const WARM_UP_MS = 75_000
const MEASURED_MS = 60_000

type State = 'ready' | 'growing' | 'waiting'
const STATES: readonly { state: State; title: string; most: number }[] = [
  { state: 'ready', title: 'a ready video', most: 1_700 },
  { state: 'growing', title: 'a growing video', most: 2_000 },
  { state: 'waiting', title: 'a video that does not play yet', most: 2_000 },
]

interface Bench {
  servers: BenchServers
  db: Database
}

/**
 * Measures what 100,000 viewers of one video write, by a hundredth of them at one player process: rows and commits of
 * PostgreSQL, and the time of their requests. The viewers behave as pages do, and send again when the server says.
 */
export async function benchViewers(): Promise<Figure[]> {
  const servers = await openBenchServers('viewers', [])
  await migrate(servers.databaseUrl)
  const db = await openDatabase({ url: servers.databaseUrl, poolSize: 2 })
  try {
    const figures: Figure[] = []
    for (const { state, title, most } of STATES)
      figures.push(...figuresOf(await measure({ servers, db }, state), title, most))
    return figures
  } finally {
    await db.close(true)
    await servers.close()
  }
}

interface Measured extends Crowded {
  rows: number
  commits: number
  seconds: number
  loggedBytes: number
}

function figuresOf(
  { rows, commits, seconds, loggedBytes, ...sent }: Measured,
  title: string,
  most: number,
) {
  const all = (count: number): number => count / seconds / SHARE
  const of = (name: string): string => `${VIEWERS} viewers of ${title}: ${name}`
  return [
    atMost(of('rows written'), all(rows), '/s', { most }),
    asInformation(of('commits with writes'), all(commits), '/s'),
    asInformation(of('heartbeats'), all(sent.heartbeats.length), '/s'),
    asInformation(of('logged for each row'), loggedBytes / rows, 'B'),
    asInformation(of('reads'), all(sent.reads.length), '/s'),
    atMost(of('failed requests'), all(sent.failures), '/s', { most: 0 }),
    asInformation(of('heartbeat, p50'), percentile(sent.heartbeats, 0.5), 'ms'),
    asInformation(of('heartbeat, p99'), percentile(sent.heartbeats, 0.99), 'ms'),
    ...(sent.reads.length > 0
      ? [asInformation(of('read, p99'), percentile(sent.reads, 0.99), 'ms')]
      : []),
  ]
}

async function measure({ servers, db }: Bench, state: State): Promise<Measured> {
  const player = await servers.startService('player/server/main.ts', 'PLAYER_PORT', {
    PLAYER_HOST: '127.0.0.1',
    STORAGE_DIR: join(servers.folder, 'objects'),
    LOG_LEVEL: 'warn',
  })
  const tokens = await insertVideo(db, servers.masterKey, state)
  const isKnown = await fetch(`${player.baseUrl}/sessions/preparation`, {
    headers: { [SESSION_HEADER]: tokens[0] ?? '' },
  })
  const crowd = startCrowd({
    origin: player.baseUrl,
    sessionHeader: SESSION_HEADER,
    tokens,
    isWaiting: state === 'waiting',
    reads: state !== 'ready' && isKnown.status === 200,
  })
  await sleep(WARM_UP_MS)
  const before = await countWrites(db)
  crowd.reset()
  const startedAt = performance.now()
  await sleep(MEASURED_MS)
  const after = await countWrites(db)
  const sent = await crowd.stop()
  const seconds = (performance.now() - startedAt) / 1000
  await player.stop()
  const rows = after.rows - before.rows
  // The count before has one transaction itself.
  const commits = after.transactions - before.transactions - 1
  return { ...sent, seconds, rows, commits, loggedBytes: after.loggedBytes - before.loggedBytes }
}

/** Inserts a video in a state, and returns the session tokens of its viewers. */
async function insertVideo(db: Database, masterKey: string, state: State): Promise<string[]> {
  const masterKeys = parseMasterKeys(masterKey)
  const signingSecret = randomBytes(32).toString('hex')
  const { videoId, accountId } = await insertPublishedVideo(
    db,
    { masterKeys, signingSecret },
    { title: state, durationMs: 36_000_000 },
  )
  if (state !== 'ready') await prepare(db, videoId, state)
  const keys = deriveKeys(masterKeys, 'playback-session')
  const nowMs = Date.now()
  return Array.from({ length: VIEWERS * SHARE }, (_, at) =>
    signSession(
      {
        sessionId: randomUUID(),
        videoId,
        accountId,
        viewerId: `viewer ${at}`,
        secretVersion: 1,
        refererHost: null,
        startedAtMs: nowMs,
      },
      keys,
      nowMs,
    ),
  )
}

const CHUNKS = 300

/** Makes a video of ten hours as it is while it is encoded: of a growing one, half is there. */
async function prepare(db: Database, videoId: string, state: State): Promise<void> {
  const em = db.em.fork()
  await em.nativeDelete(Rendition, { videoId })
  await em.nativeUpdate(Video, { id: videoId }, { status: 'processing' })
  const chunks = { chunkFrames: 3_600, count: CHUNKS }
  const outline = { durationMs: 36_000_000, frameRate: '30/1', rung: '360p', audio: [], chunks }
  await em.insert(GrowingOutline, { videoId, outline })
  const segments = Array.from({ length: 30 }, () => ({ durationTicks: 61_440, sizeBytes: 300_000 }))
  for (let index = 0; state === 'growing' && index < CHUNKS / 2; index += 1)
    await insertChunk(
      em,
      { videoId, name: '360p', count: CHUNKS, index },
      {
        token: '0a0a0a0a',
        firstSegment: 1 + index * segments.length,
        startTicks: index * segments.length * 61_440,
        initHash: 'a',
        encoded: null,
        rendition: { ...RUNG, segments },
      },
    )
}

/** Rows that viewers write, and transactions that wrote anything. PostgreSQL counts rows about a second later, before and after. */
async function countWrites(
  db: Database,
): Promise<{ rows: number; transactions: number; loggedBytes: number }> {
  const [row] = await db.em.fork().execute<Record<'rows' | 'transactions' | 'logged', string>[]>(
    `select pg_current_xact_id()::text as transactions, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as logged, sum(n_tup_ins + n_tup_upd)::text as rows
     from pg_stat_user_tables where relname in ('stream_lease', 'playhead')
       or relid in (select relid from pg_partition_tree('playback_record'))`,
  )
  const { rows, transactions, logged } = row ?? {}
  return { rows: Number(rows), transactions: Number(transactions), loggedBytes: Number(logged) }
}
