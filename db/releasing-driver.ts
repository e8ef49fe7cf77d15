import { PostgreSqlConnection, PostgreSqlDriver, type Configuration } from '@mikro-orm/postgresql'
import { TypeOverrides, type PoolConfig } from 'pg'

type Dialect = ReturnType<PostgreSqlConnection['createKyselyDialect']>
type Driver = ReturnType<Dialect['createDriver']>

/**
 * Returns a connection that is lost inside a transaction to the pool, which discards it. Kysely releases
 * a connection only after a successful `begin`, `commit` or `rollback`, and a lost connection completes
 * none of them. So each restart of PostgreSQL under load would take connections from the pool until none
 * is left. A connection that opens while the pool closes is not lost either: Kysely would never release it, and the
 * pool, and with it the process, would never close.
 */
export class ReleasingDriver extends PostgreSqlDriver {
  protected override readonly connection: PostgreSqlConnection

  constructor(config: Configuration) {
    super(config)
    this.connection = new ReleasingConnection(config)
  }
}

/** Type OIDs of PostgreSQL. */
const INT8 = 20
const TIMESTAMPTZ = 1184

class ReleasingConnection extends PostgreSqlConnection {
  /** Reads `bigint` as a number and `timestamptz` as a Date, which is how the entities declare them; reaches IPv6 addresses. */
  override mapOptions(overrides: PoolConfig): PoolConfig {
    const options = super.mapOptions(overrides)
    const types = new TypeOverrides(options.types)
    types.setTypeParser(INT8, Number)
    types.setTypeParser(TIMESTAMPTZ, (text: string) => new Date(text))
    // MikroORM leaves the brackets of an IPv6 address, which is then looked up as a name.
    const host = options.host?.replaceAll(/[[\]]/g, '')
    return { ...options, ...(host !== undefined && { host }), types }
  }

  override createKyselyDialect(overrides: object): Dialect {
    const dialect = super.createKyselyDialect(overrides)
    const createDriver = dialect.createDriver.bind(dialect)
    dialect.createDriver = () => releasing(createDriver())
    return dialect
  }
}

function releasing(driver: Driver): Driver {
  const begin = driver.beginTransaction.bind(driver)
  const rollback = driver.rollbackTransaction.bind(driver)
  driver.beginTransaction = async (connection, settings) => {
    try {
      await begin(connection, settings)
    } catch (error) {
      await driver.releaseConnection(connection)
      throw error
    }
  }
  // PostgreSQL never refuses a rollback. If one fails, the connection is lost, which also ended the transaction.
  driver.rollbackTransaction = (connection) => rollback(connection).catch(() => {})
  destroyWhenAcquired(driver)
  return driver
}

/** Makes a driver close its pool only when the connections that were requested before have been acquired. */
function destroyWhenAcquired(driver: Driver): void {
  const acquire = driver.acquireConnection.bind(driver)
  const destroy = driver.destroy.bind(driver)
  const acquiring = new Set<Promise<unknown>>()
  driver.acquireConnection = async (options) => {
    const connection = acquire(options)
    acquiring.add(connection)
    try {
      return await connection
    } finally {
      acquiring.delete(connection)
    }
  }
  driver.destroy = async (options) => {
    await Promise.allSettled(acquiring)
    await destroy(options)
  }
}
