import { randomUUID } from 'node:crypto'
import { Connection, isGrpcServiceError } from '@temporalio/client'
import { Account } from '../db/entities/account.ts'
import { describeDatabaseError, isDatabaseUnavailable } from '../db/errors.ts'
import { readOutboxBacklog } from '../db/ingest/backlog.ts'
import { readPartitionsAhead } from '../db/partitions/partitions-ahead.ts'
import { readSequenceUse } from '../db/sequences.ts'
import { pingDatabase, readDatabaseClock, readServerState } from '../db/upkeep/health.ts'
import { compareMasterKeys } from '../processes/open-master-keys.ts'
import { openSigningSecret } from '../security/sealing/secret-contexts.ts'
import { createStorage, unusable, type StorageConfig } from '../storage/object-storage.ts'
import { Advice } from './advice.ts'
import { RESPONSE_TIMEOUT_MS, type Finding } from './check.ts'
import { clockOffsetMs, readDate, type ClockReading } from './clock.ts'
import { describeAddress } from './database-addresses.ts'
import type { Installation } from './installation.ts'

/** Rethrows an error of PostgreSQL itself in words. */
export function ofDatabase(error: unknown): never {
  const words = isDatabaseUnavailable(error) ? describeDatabaseError(error) : null
  throw words === null ? error : new Advice(words)
}

/** The same for what needs the database beside its own check, whose finding is `database`: only that says why. */
export const needingDatabase =
  (database: Promise<Finding>) =>
  async (error: unknown): Promise<never> => {
    if (isDatabaseUnavailable(error) && !(await database).ok)
      throw new Advice('needs the database: see there')
    return ofDatabase(error)
  }

/** Checks that the database responds, takes writes and is migrated. */
export async function checkDatabase(installation: Installation): Promise<string> {
  const em = await installation.entityManager()
  await pingDatabase(em)
  const { version, isMigrated, limitsStatements } = await readServerState(em)
  if (!isMigrated) throw new Advice('it has no tables yet: npm start migrates it')
  return `PostgreSQL ${version}${await describeAddress(installation, limitsStatements)}`
}

/** Checks that the master keys are those of the database and decrypt its secrets. */
export async function checkMasterKey(installation: Installation): Promise<string> {
  const keys = await installation.uncheckedMasterKeys()
  const em = await installation.entityManager()
  await compareMasterKeys(em, keys)
  const account = await em.findOne(Account, { id: { $gt: 0 } }, { orderBy: { id: 'asc' } })
  if (!account) return `version ${keys.current}; nothing is encrypted yet`
  openSigningSecret(keys, account)
  return `version ${keys.current}, decrypts the stored secrets`
}

/** Checks that committed workflow requests reach Temporal. */
export async function checkOutbox(installation: Installation): Promise<string> {
  const { count, oldestSeconds } = await readOutboxBacklog(await installation.entityManager())
  if (count === 0) return 'no workflow request waits'
  const waits = `the oldest workflow request has waited for ${Math.round(oldestSeconds)} s`
  if (oldestSeconds > LAG_MAX_SECONDS)
    throw new Advice(
      `${waits}: is a worker running, and does its log say that it reaches Temporal?`,
    )
  return waits
}

/** A workflow request is retried within a minute. */
const LAG_MAX_SECONDS = 120

/** Checks that no kind of id has less than half of its numbers left. */
export async function checkSequences(installation: Installation): Promise<string> {
  const [most] = await readSequenceUse(await installation.entityManager())
  if (!most) return 'there are none yet'
  const used = `${most.name} has given ${Math.floor(most.share * 100)} % of its ids`
  if (most.share > SEQUENCE_SHARE_MAX)
    throw new Advice(`${used}: install a version with larger ones before they run out`)
  return used
}

const SEQUENCE_SHARE_MAX = 0.5

/** Checks that the rows of each partitioned table will have a partition, and none came to a default one. */
export async function checkPartitions(installation: Installation): Promise<string> {
  const tables = await readPartitionsAhead(await installation.entityManager())
  if (tables.length === 0) return 'there are none yet'
  const late = tables.filter(({ ahead, hasRowsInDefault }) => ahead === 0 || hasRowsInDefault)
  if (late.length === 0) return `ahead of ${tables.map(({ table }) => table).join(', ')}`
  throw new Advice(
    `${late.map(({ table }) => table).join(', ')} had or has none ahead: does the Schedule purge-history run? The worker's log says why it fails`,
  )
}

/** The code of gRPC. */
const DEADLINE_EXCEEDED = 4

/** Checks that Temporal's frontend responds. */
export async function checkTemporal(installation: Installation): Promise<string> {
  const address = installation.temporalAddress()
  const connection = Connection.lazy({ address, connectTimeout: RESPONSE_TIMEOUT_MS })
  try {
    const info = await connection.withDeadline(Date.now() + RESPONSE_TIMEOUT_MS, () =>
      connection.workflowService.getSystemInfo({}),
    )
    return `server ${info.serverVersion ?? 'of unknown version'} at ${address}`
  } catch (error) {
    const isSilent = isGrpcServiceError(error) && error.code === DEADLINE_EXCEEDED
    throw new Advice(
      isSilent
        ? `no response at ${address} in time: it hangs, is overloaded, or another program is there (TEMPORAL_ADDRESS); restart it`
        : `no response at ${address}: is it running? (npm start, or TEMPORAL_ADDRESS)`,
    )
  } finally {
    await connection.close()
  }
}

/** Checks that an object can be written, read and removed. */
export async function checkStorage(config: StorageConfig): Promise<string> {
  const missing: string[] = []
  const storage = createStorage(config, undefined, (operation) => missing.push(operation))
  const prefix = `doctor/${randomUUID()}/`
  const writeAndRead = async (): Promise<unknown> => {
    try {
      await storage.putBuffer(`${prefix}probe`, Buffer.from('probe'), 'application/octet-stream')
      const { stream } = await storage.get(`${prefix}probe`)
      const [text] = await stream.setEncoding('utf8').toArray()
      return text
    } finally {
      await storage.deletePrefix(prefix)
    }
  }
  const text = await writeAndRead().catch(unusable(config))
  if (text !== 'probe') throw new Advice('reading an object did not return what was written')
  if (config.driver === 'folder') return config.dir
  const lack = missing.map((operation) => `; it lacks ${operation}: deletions take longer`)
  return `bucket ${config.bucket} at ${config.endpoint}${lack.join('')}`
}

type ReadClock = () => Promise<ClockReading | null>

/**
 * Compares this machine's clock with those of the database, the storage and the servers, because signatures and sessions
 * depend on it. A server that does not run has a check of its own.
 */
export async function checkClocks(installation: Installation): Promise<string> {
  const { storage, runtime, config } = installation
  const clocks: [string, ReadClock][] = [
    ['the database', async () => databaseClock(installation)],
    ...(storage?.driver === 's3'
      ? [['the storage', () => storageClock(storage.endpoint)] satisfies [string, unknown]]
      : []),
    ['the API', () => httpClock(runtime?.api ?? config.API_BASE_URL)],
    // Behind one address there may be several hosts.
    ...Array.from({ length: PLAYER_READS }, (): [string, ReadClock] => [
      'the player',
      () => httpClock(runtime?.player ?? config.EMBED_BASE_URL),
    ]),
  ]
  const names = await Promise.all(clocks.map(([name, read]) => compareClock(name, read)))
  return `in step with ${[...new Set(names.flatMap((name) => name ?? []))].join(' and ')}`
}

const PLAYER_READS = 4

/** Returns the name; null if the clock cannot be read. */
async function compareClock(name: string, read: ReadClock): Promise<string | null> {
  const beforeMs = Date.now()
  const reading = await read()
  if (!reading) return null
  const offMs = clockOffsetMs(reading, beforeMs, Date.now())
  if (offMs > CLOCK_TOLERANCE_MS)
    throw new Advice(`this machine and ${name} are ${offMs / 1000} s apart: set them by NTP`)
  return name
}

async function databaseClock(installation: Installation): Promise<ClockReading> {
  const em = await installation.entityManager()
  return { ms: await readDatabaseClock(em), roundedByMs: 1 }
}

async function storageClock(url: string): Promise<ClockReading> {
  const reading = await httpClock(url)
  if (!reading)
    throw new Advice(`the storage at ${url} does not respond, or does not send its time`)
  return reading
}

/** Reads the Date header of any response; null without one. */
async function httpClock(url: string): Promise<ClockReading | null> {
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
  const response = await fetch(url, { method: 'HEAD', signal, redirect: 'manual' }).catch(
    () => null,
  )
  return readDate(response?.headers.get('Date'))
}

/** Far below the 300 s that webhook receivers tolerate and that a session token lasts, and far above the jitter of a busy machine. */
export const CLOCK_TOLERANCE_MS = 2_000
