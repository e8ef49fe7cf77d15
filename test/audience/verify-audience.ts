import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { inDays } from '../../db/audience/range-parts.ts'
import { readRangeSketches } from '../../db/audience/sketches.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { ALL_VIDEOS } from '../../domain/audience/fold-sessions.ts'
import { estimateViewers, SKETCH_ERROR, uniteStored } from '../../domain/audience/viewer-sketch.ts'
import { utcDay } from '../../domain/timestamps.ts'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { insertPublishedVideo } from '../fixtures/published-video.ts'
import { sendBeats } from './count-all.ts'
import { openOracle, type Oracle } from './oracle.ts'
import { differences, storedAudience } from './stored-audience.ts'
import { diceOf, syntheticSession, type Dice, type SyntheticVideo } from './synthetic-sessions.ts'

const ACCOUNTS = 3
const VIDEOS_OF_ACCOUNT = 20
const VIEWERS_OF_ACCOUNT = 5_000
const CHUNK_SESSIONS = 2_000
/** Processes that send heartbeats. */
const SENDERS = 2
const KILL_AFTER_MS = [2_000, 8_000] as const
const HOUR_MS = 3_600_000
/** Sessions of the last hour that are not counted at first. */
const BACKLOG_SESSIONS = 100_000
/** An hour of 400 ended sessions a second in ten minutes, while as many end. */
const COUNTED_A_SECOND_MIN = (400 * 3_600) / 600 + 400

/** What is verified, and how it is told. */
export interface AudienceRun {
  url: string
  sessions: number
  seed: number
  /** Called with each check that held. */
  held: (check: string) => void
}

interface World extends AudienceRun {
  db: Database
  dice: Dice
  videos: SyntheticVideo[]
  oracle: Oracle
}

/**
 * Sends the heartbeats of synthetic sessions, some of them lost, repeated or overtaken, while a process counts them and is killed again
 * and again, and compares all sums with those of an oracle. Throws at the first check that does not hold.
 */
export async function verifyAudience(run: AudienceRun): Promise<void> {
  await migrate(run.url)
  const db = await openDatabase({ url: run.url, poolSize: SENDERS + 1 })
  try {
    const world = {
      ...run,
      db,
      dice: diceOf(run.seed),
      videos: await addVideos(db),
      oracle: openOracle(),
    }
    const kills = await sendWhileKilling(world, run.sessions)
    await compare(world)
    run.held(`the sums of ${run.sessions} sessions are those of the oracle, with ${kills} kills`)
    await checkEstimates(world)
    await checkBacklog(world)
  } finally {
    await db.close(true)
  }
}

async function addVideos(db: Database): Promise<SyntheticVideo[]> {
  const keys = {
    masterKeys: parseMasterKeys(randomBytes(32).toString('hex')),
    signingSecret: randomBytes(32).toString('hex'),
  }
  const videos: SyntheticVideo[] = []
  for (let account = 0; account < ACCOUNTS; account += 1) {
    let accountId: number | undefined
    for (let at = 0; at < VIDEOS_OF_ACCOUNT; at += 1) {
      const durationMs = 60_000 * (1 + at)
      const facts = { title: `${at}`, durationMs, ...(accountId !== undefined && { accountId }) }
      const inserted = await insertPublishedVideo(db, keys, facts)
      accountId ??= inserted.accountId
      videos.push({ videoId: inserted.videoId, accountId, durationMs })
    }
  }
  return videos
}

/** Sends the heartbeats of sessions that have begun within a time, a day by default. */
async function send(
  { db, dice, videos, oracle }: World,
  count: number,
  sinceMs?: number,
): Promise<void> {
  let left = count
  const sender = async (): Promise<void> => {
    while (left > 0) {
      const size = Math.min(CHUNK_SESSIONS, left)
      left -= size
      const of = { viewers: VIEWERS_OF_ACCOUNT, ...(sinceMs !== undefined && { sinceMs }) }
      const sessions = Array.from({ length: size }, () =>
        syntheticSession(dice, videos, { ...of, nowMs: Date.now() }),
      )
      for (const { truth } of sessions) oracle.add(truth)
      await sendBeats(db, sessions)
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
}

const startRoller = (url: string) =>
  execa(pinnedNode, ['test/audience/roller.ts'], {
    cwd: projectDir,
    env: { DATABASE_URL: url },
    stdio: ['ignore', 'inherit', 'inherit'],
    reject: false,
  })

/** Returns how often the process that counts was killed. */
async function sendWhileKilling(world: World, count: number): Promise<number> {
  let isSent = false
  let kills = 0
  const sent = send(world, count).finally(() => (isSent = true))
  while (!isSent) {
    const roller = startRoller(world.url)
    const [least, most] = KILL_AFTER_MS
    await Promise.race([sent, sleep(least + Math.random() * (most - least))])
    roller.kill('SIGKILL')
    await roller
    kills += 1
  }
  await sent
  return kills
}

/** Counts the rest, in a process that is not killed, and compares all sums. */
async function compare({ url, db, oracle }: World): Promise<void> {
  await countRest(url, db)
  const found = differences(await storedAudience(db), oracle.expected())
  if (found.length > 0) throw new Error(`other sums than the oracle:\n${found.join('\n')}`)
}

async function countRest(url: string, db: Database): Promise<void> {
  const roller = startRoller(url)
  const isOpen = async (): Promise<boolean> =>
    (await db.em.fork().execute('select from playback_record where is_open limit 1')).length > 0
  while (await isOpen()) {
    if (roller.exitCode !== null) throw new Error('the process that counts has ended')
    await sleep(100)
  }
  roller.kill('SIGKILL')
  await roller
}

/** The viewers of two days: within four standard errors. */
async function checkEstimates({ db, videos, oracle, held }: World): Promise<void> {
  const range = {
    from: utcDay(Date.now() - 2 * 86_400_000),
    to: utcDay(Date.now() + 86_400_000),
  }
  for (const accountId of new Set(videos.map((video) => video.accountId))) {
    const of = { accountId, videoId: ALL_VIDEOS, ...range }
    const all = uniteStored(await readRangeSketches(db.em.fork(), inDays(of)))
    const expected = oracle.viewersOf(accountId)
    const error = Math.abs(estimateViewers(all) - expected) / expected
    if (error > 4 * SKETCH_ERROR) throw new Error(`unique viewers are ${error} off`)
    held(`the unique viewers of two days are ${(error * 100).toFixed(2)} % off`)
  }
}

async function checkBacklog(world: World): Promise<void> {
  await send(world, BACKLOG_SESSIONS, HOUR_MS)
  await sleep(1_000)
  const startedAt = performance.now()
  await countRest(world.url, world.db)
  const perSecond = (BACKLOG_SESSIONS / (performance.now() - startedAt)) * 1000
  await compare(world)
  if (perSecond < COUNTED_A_SECOND_MIN)
    throw new Error(
      `${Math.round(perSecond)} sessions a second of a backlog; ${COUNTED_A_SECOND_MIN} are needed`,
    )
  world.held(`${Math.round(perSecond)} sessions a second of a backlog are counted`)
}
