import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { Connection } from '@temporalio/client'
import { Account } from '../../db/entities/account.ts'
import { createStorage } from '../../storage/object-storage.ts'
import type { StorageConfig } from '../../storage/object-storage.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { readSigningSecret } from '../signing-secret.ts'
import { CHECK_TIMEOUT_MS } from './check.ts'

/** The database answers, and is migrated. */
export async function checkDatabase(context: Context): Promise<string> {
  const em = await context.entityManager()
  const [row] = await em.execute<{ version: string; migrated: boolean }[]>(
    `select current_setting('server_version') as version,
            to_regclass('account') is not null as migrated`,
  )
  if (!row?.migrated) throw new CliError('it has no tables yet: npm start migrates it')
  return `PostgreSQL ${row.version}`
}

/** The master key is there, and opens what is stored. */
export async function checkMasterKey(context: Context): Promise<string> {
  const keys = await context.uncheckedMasterKeys()
  const em = await context.entityManager()
  const account = await em.findOne(Account, { id: { $gt: 0 } }, { orderBy: { id: 'asc' } })
  if (!account) return `version ${keys.current}; nothing is sealed yet`
  await readSigningSecret(em, keys, account.id)
  return `version ${keys.current}, opens what is stored`
}

/** Temporal's frontend answers. */
export async function checkTemporal(context: Context): Promise<string> {
  const address = context.temporalAddress()
  const connection = Connection.lazy({ address, connectTimeout: CHECK_TIMEOUT_MS / 2 })
  try {
    const info = await connection.withDeadline(Date.now() + CHECK_TIMEOUT_MS / 2, () =>
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

/** This machine's clock and the database's agree; tokens and signatures count on it. */
export async function checkClocks(context: Context): Promise<string> {
  const em = await context.entityManager()
  const before = Date.now()
  const [row] = await em.execute<{ ms: string }[]>(
    'select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
  )
  const after = Date.now()
  const theirs = Number(row?.ms)
  const offMs = Math.round(Math.max(before - theirs, theirs - after, 0))
  if (offMs > CLOCK_TOLERANCE_MS)
    throw new CliError(`this machine and the database are ${offMs / 1000} s apart: set them by NTP`)
  return offMs === 0 ? 'in step with the database' : `${offMs} ms off the database`
}

/** Far under the 300 s that webhook receivers tolerate, far over what a busy machine shows. */
const CLOCK_TOLERANCE_MS = 2_000

/** The folder moves with `--data-dir`, unless STORAGE_DIR names another. */
function storageConfig({ config, dataDir }: Context): StorageConfig {
  const { storage } = config
  const isDefault = storage.driver === 'folder' && config.STORAGE_DIR === undefined
  return isDefault ? { driver: 'folder', dir: resolve(dataDir, 'storage') } : storage
}
