import { describeDatabaseError } from '../db/errors.ts'
import { areSameDatabase, readPooling } from '../db/pooling.ts'
import { Advice } from './advice.ts'
import type { Installation } from './installation.ts'

type Addresses = Pick<Installation, 'config'>

/** Says, after the version of PostgreSQL, whether DATABASE_URL names a pooler. Throws an Advice if the settings do not fit it. */
export async function describeAddress(
  { config: { DATABASE_URL: url, databasePooler } }: Addresses,
  limitsStatements: boolean,
): Promise<string> {
  if (url === undefined) return ''
  const pooling = await readPooling(url)
  if (pooling === 'none')
    return databasePooler === null ? '' : ', without a pooler: DATABASE_DIRECT_URL is not needed'
  if (databasePooler === null && (pooling === 'transaction' || !limitsStatements))
    throw new Advice(
      `DATABASE_URL names a connection pooler (such as PgBouncer), in ${pooling} mode: set DATABASE_DIRECT_URL to the address of PostgreSQL itself`,
    )
  return `, through a pooler in ${pooling} mode`
}

/** Checks that DATABASE_DIRECT_URL gives each client a session, in the same database. */
export async function checkDirectDatabase({ config }: Addresses): Promise<string> {
  const { DATABASE_URL: url = '', DATABASE_DIRECT_URL: directUrl = '' } = config
  const pooling = await readPooling(directUrl).catch((error: unknown) => {
    const words = describeDatabaseError(error)
    throw words === null
      ? error
      : new Advice(words.replaceAll('DATABASE_URL', 'DATABASE_DIRECT_URL'))
  })
  if (pooling === 'transaction')
    throw new Advice(
      'DATABASE_DIRECT_URL names a connection pooler in transaction mode, which the relay, migrations and backups cannot use: let it name PostgreSQL itself',
    )
  if (!(await areSameDatabase([url, directUrl])))
    throw new Advice('DATABASE_DIRECT_URL names another database than DATABASE_URL: correct it')
  return pooling === 'none' ? 'PostgreSQL itself' : 'through a pooler in session mode'
}
