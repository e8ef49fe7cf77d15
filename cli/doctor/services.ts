import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { Connection } from '@temporalio/client'
import { isDatabaseAway } from '../../db/deadlines.ts'
import { Account } from '../../db/entities/account.ts'
import { readDatabaseClock, readServerState } from '../../db/health.ts'
import { readOutboxLag } from '../../db/workflow-requests.ts'
import { compareMasterKeys } from '../../processes/open-master-keys.ts'
import { openSigningSecret } from '../../security/secret-contexts.ts'
import { createStorage } from '../../storage/object-storage.ts'
import type { StorageConfig } from '../../storage/object-storage.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { ANSWER_MS } from './check.ts'

/** Says plainly that the database does not answer; a check of anything in it says the same. */
export const ofDatabase = (probe: () => Promise<string>) => (): Promise<string> =>
  probe().catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error
    throw new CliError('the database does not answer: is it running? (npm start, or DATABASE_URL)')
  })

/** The database answers, and is migrated. */
export async function checkDatabase(context: Context): Promise<string> {
  const em = await context.entityManager()
  const { version, isMigrated } = await readServerState(em)
  if (!isMigrated) throw new CliError('it has no tables yet: npm start migrates it')
  return `PostgreSQL ${version}`
}

/** The master keys are those that the database knows, and open what is stored. */
export async function checkMasterKey(context: Context): Promise<string> {
  const keys = await context.uncheckedMasterKeys()
  const em = await context.entityManager()
  await compareMasterKeys(em, keys)
  const account = await em.findOne(Account, { id: { $gt: 0 } }, { orderBy: { id: 'asc' } })
  if (!account) return `version ${keys.current}; nothing is sealed yet`
  openSigningSecret(keys, account)
  return `version ${keys.current}, opens what is stored`
}

/** Committed commands reach Temporal. */
export async function checkOutbox(context: Context): Promise<string> {
  const lagSeconds = await readOutboxLag(await context.entityManager())
  if (lagSeconds === null) return 'nothing waits'
  const waits = `the oldest command has waited for ${Math.round(lagSeconds)} s`
  if (lagSeconds > LAG_MAX_SECONDS)
    throw new CliError(`${waits}: is a worker running, and does it reach Temporal? Its log tells`)
  return waits
}

/** A command is tried again within a minute. */
const LAG_MAX_SECONDS = 120

/** Temporal's frontend answers. */
export async function checkTemporal(context: Context): Promise<string> {
  const address = context.temporalAddress()
  const connection = Connection.lazy({ address, connectTimeout: ANSWER_MS })
  try {
    const info = await connection.withDeadline(Date.now() + ANSWER_MS, () =>
      connection.workflowService.getSystemInfo({}),
    )
    return `server ${info.serverVersion ?? 'of unknown version'} at ${address}`
  } catch {
    throw new CliError(`no answer at ${address}: is it running? (npm start, or TEMPORAL_ADDRESS)`)
  } finally {
    await connection.close()
  }
}

/** An object can be written, read back and removed. */
export async function checkStorage(context: Context): Promise<string> {
  const config = storageConfig(context)
  const storage = createStorage(config)
  const prefix = `doctor/${randomUUID()}/`
  try {
    await storage.putBuffer(`${prefix}probe`, Buffer.from('probe'), 'application/octet-stream')
    const { stream } = await storage.get(`${prefix}probe`)
    const [text] = await stream.setEncoding('utf8').toArray()
    if (text !== 'probe') throw new CliError('what was written did not come back')
  } finally {
    await storage.deletePrefix(prefix)
  }
  return config.driver === 's3' ? `bucket ${config.bucket} at ${config.endpoint}` : config.dir
}

/** This machine's clock agrees with the database's and the storage's; signatures depend on it. */
export async function checkClocks(context: Context): Promise<string> {
  const { storage } = context.config
  const clocks: [string, () => Promise<Reading>][] = [
    ['the database', async () => databaseClock(context)],
    ...(storage.driver === 's3'
      ? [['the storage', () => httpClock(storage.endpoint)] satisfies [string, unknown]]
      : []),
  ]
  const names = await Promise.all(clocks.map(([name, read]) => compareClock(name, read)))
  return `in step with ${names.join(' and ')}`
}

/** What a clock said, in ms since 1970, and by how much less than its second or so it may have said. */
interface Reading {
  ms: number
  roundedByMs: number
}

async function compareClock(name: string, read: () => Promise<Reading>): Promise<string> {
  const before = Date.now()
  const { ms, roundedByMs } = await read()
  const after = Date.now()
  const offMs = Math.round(Math.max(before - ms - roundedByMs, ms - after, 0))
  if (offMs > CLOCK_TOLERANCE_MS)
    throw new CliError(`this machine and ${name} are ${offMs / 1000} s apart: set them by NTP`)
  return name
}

async function databaseClock(context: Context): Promise<Reading> {
  const em = await context.entityManager()
  return { ms: await readDatabaseClock(em), roundedByMs: 1 }
}

/** The Date header, whatever the answer. */
async function httpClock(url: string): Promise<Reading> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const { headers } = await fetch(url, { method: 'HEAD', signal, redirect: 'manual' }).catch(() => {
    throw new CliError(`the storage does not answer at ${url}`)
  })
  const ms = Date.parse(headers.get('Date') ?? '')
  if (Number.isNaN(ms)) throw new CliError(`the storage at ${url} does not tell its time`)
  return { ms, roundedByMs: 1_000 }
}

/** Far under the 300 s that webhook receivers tolerate, far over what a busy machine shows. */
const CLOCK_TOLERANCE_MS = 2_000

/** The folder moves with `--data-dir`, unless STORAGE_DIR names another. */
export function storageConfig({ config, dataDir }: Context): StorageConfig {
  const { storage } = config
  const isDefault = storage.driver === 'folder' && config.STORAGE_DIR === undefined
  return isDefault ? { driver: 'folder', dir: resolve(dataDir, 'storage') } : storage
}
