import { pino } from 'pino'
import { loadConfig, required } from '../../config.ts'
import { openDatabase } from '../../db/database.ts'
import { normaliseHost } from '../../domain/host-name.ts'
import { parseMasterKeys } from '../../security/sealing.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { createPlayerApp } from './app.ts'

/** How long answers under way may take once the process is asked to end. */
const DRAIN_MS = 5_000

/** Serves the player host until SIGTERM or SIGINT; answers under way are finished first. */
async function main(): Promise<void> {
  const config = loadConfig()
  const logger = pino({ level: config.LOG_LEVEL, name: 'player' })
  const db = await openDatabase({
    url: required(config.DATABASE_URL, 'DATABASE_URL'),
    poolSize: config.DATABASE_POOL_SIZE,
  })
  const app = await createPlayerApp({
    db,
    masterKeys: parseMasterKeys(required(config.MASTER_KEY, 'MASTER_KEY')),
    storage: createStorage(config.storage),
    embedBase: config.EMBED_BASE_URL,
    mediaBase: config.MEDIA_BASE_URL,
    serviceDomains: config.SERVICE_DOMAINS,
    directPlayHost: config.DIRECT_PLAY_BASE ? normaliseHost(config.DIRECT_PLAY_BASE) : null,
    trustedProxies: config.TRUSTED_PROXIES,
    logger,
  })
  const server = app.listen(config.PLAYER_PORT, config.PLAYER_HOST, (error) => {
    if (error) throw error
    logger.info({ port: config.PLAYER_PORT }, 'player is ready')
  })
  const stop = (): void => {
    server.close(() => void db.close(true))
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
