import { fileURLToPath } from 'node:url'
import { Migrator } from '@mikro-orm/migrations'
import { defineConfig, MikroORM, type EntityManager } from '@mikro-orm/postgresql'
import { NO_STATEMENT_DEADLINE, poolOptions, type DatabaseDeadlines } from './deadlines.ts'
import { ENTITIES } from './entities.ts'
import { ReleasingDriver } from './releasing-driver.ts'
import { RepeatingEntityManager } from './repeating-entity-manager.ts'
import type { Pooler } from './through-pooler.ts'

export type { EntityManager }

/** An open database: fork an EntityManager for each unit of work, close it at the end. */
export type Database = MikroORM

export interface DatabaseOptions {
  /** postgres://user:password@host:port/name */
  url: string
  /** The maximum number of connections of this process; 10 by default. */
  poolSize?: number
  /** Deadlines for PostgreSQL; by default 10 s for a connection and none for a statement. */
  deadlines?: DatabaseDeadlines
  /** The pooler that the address names; null by default, if it names PostgreSQL itself. Needs deadlines for statements. */
  pooler?: Pooler | null
}

/** Opens the pool. It connects lazily: if the database is down, the first query fails. */
export async function openDatabase({
  url,
  poolSize = 10,
  deadlines = NO_STATEMENT_DEADLINE,
  pooler = null,
}: DatabaseOptions): Promise<Database> {
  return MikroORM.init(
    defineConfig({
      driver: ReleasingDriver,
      entityManager: RepeatingEntityManager,
      clientUrl: url,
      entities: ENTITIES,
      extensions: [Migrator],
      // Every use forks; without a fork, requests would share rows.
      allowGlobalContext: false,
      forceUtcTimezone: true,
      pool: { min: 0, max: poolSize },
      driverOptions: poolOptions(deadlines, pooler),
      migrations: {
        path: fileURLToPath(new URL('./migrations', import.meta.url)),
        glob: 'migration-*.ts',
        emit: 'ts',
        snapshot: false,
        silent: true,
      },
    }),
  )
}

/**
 * An EntityManager for the work of one request. It carries the id of the request, also into its
 * transactions, and events and workflow requests that it writes record that id (ADR 0019).
 */
export const forkForRequest = (db: Database, requestId: string): EntityManager =>
  db.em.fork({ loggerContext: { requestId } })

/** The id of the request that an EntityManager works for; null if it works for none. */
export function requestOf(em: EntityManager): string | null {
  const { requestId } = em.getLoggerContext<{ requestId?: unknown }>()
  return typeof requestId === 'string' ? requestId : null
}
