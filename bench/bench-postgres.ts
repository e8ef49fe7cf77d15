import { join } from 'node:path'
import { startGuard } from '../scripts/embedded/guard.ts'
import { freePort } from '../scripts/embedded/ports.ts'
import { startPostgres } from '../scripts/embedded/postgres.ts'
import type { Postgres } from '../scripts/embedded/postgres.ts'
import { openRotatingLog } from '../scripts/embedded/rotating-log.ts'

/** A PostgreSQL of one run on a free port, its data and its log in `folder`. */
export const startBenchPostgres = async (folder: string): Promise<Postgres> =>
  startPostgres({
    dataDir: folder,
    port: await freePort(),
    log: openRotatingLog(join(folder, 'postgres.log')),
    guard: startGuard(),
  })
