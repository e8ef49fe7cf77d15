import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../db/migrate.ts'
import type { Guard } from '../../scripts/embedded/guard.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { startPostgres } from '../../scripts/embedded/postgres.ts'
import { openRotatingLog } from '../../scripts/embedded/rotating-log.ts'
import { checkEvents, keepRemovedEvents } from './check-events.ts'
import { checkSealed } from './check-sealed.ts'
import { lazily } from './lazily.ts'
import { FIRST_WIDE_ID } from './wide-ids.ts'
import { withClient } from './with-client.ts'

/** Creates copies of a migrated database on a PostgreSQL that starts at the first request. */
export function createDatabases(dataDir: string, guard: Guard) {
  const service = lazily(async () => {
    const log = openRotatingLog(join(dataDir, 'postgres.log'))
    const options = { dataDir, port: await freePort(), log, guard, durable: false }
    const postgres = await startPostgres(options)
    await migrate(postgres.url)
    await keepRemovedEvents(postgres.url)
    await startWideSequences(postgres.url)
    // Their ids are beyond the first partitions.
    await migrate(postgres.url)
    const admin = new pg.Pool({ connectionString: databaseUrl(postgres.url, 'postgres'), max: 4 })
    admin.on('error', () => {})
    const stop = async () => {
      await admin.end()
      await postgres.stop()
    }
    return { admin, url: postgres.url, stop }
  })
  return {
    /** Copies the database at `from`, to which nothing may be connected; by default the empty one. */
    create: async (from?: string) => {
      const { admin, url } = await service.get()
      const name = `test_${randomBytes(6).toString('hex')}`
      const template = pg.escapeIdentifier(databaseName(from ?? url))
      // The default strategy writes every page to the log, for ten times the processor time.
      await admin.query(`create database ${name} template ${template} strategy file_copy`)
      return { url: databaseUrl(url, name) }
    },
    drop: async (url: string) => {
      const { admin } = await service.get()
      const name = databaseName(url)
      try {
        // The start of a connection takes longer than a check.
        await withClient(url, async (client) => {
          await checkEvents(client)
          await checkSealed(client)
        })
        return {}
      } finally {
        await admin.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
      }
    },
    stop: service.stop,
  }
}

const startWideSequences = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(
      `select setval(format('%I', sequencename)::regclass, ${FIRST_WIDE_ID}, false)
       from pg_sequences where schemaname = 'public' and data_type = 'bigint'::regtype`,
    )
  })

const databaseName = (url: string): string => new URL(url).pathname.slice(1)

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
