import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { loadConfig, required } from '../config.ts'
import { openDatabase } from '../db/database.ts'
import { createEgress } from '../egress/egress.ts'
import { parseMasterKeys } from '../security/sealing.ts'
import { createApp } from './app.ts'

/** How long answers under way may take once the process is asked to end. */
const DRAIN_MS = 5_000

/** Serves the API until SIGTERM or SIGINT; requests under way are answered first. */
async function main(): Promise<void> {
  const config = loadConfig()
  const logger = pino({ level: config.LOG_LEVEL, name: 'api' })
  const db = await openDatabase({
    url: required(config.DATABASE_URL, 'DATABASE_URL'),
    poolSize: config.DATABASE_POOL_SIZE,
  })
  const app = createApp({
    db,
    masterKeys: parseMasterKeys(required(config.MASTER_KEY, 'MASTER_KEY')),
    egress: createEgress({
      allowedNetworks: config.EGRESS_ALLOWED_NETWORKS,
      extraCa: config.EGRESS_CA_FILE ? [await readFile(config.EGRESS_CA_FILE, 'utf8')] : [],
      dnsServers: config.EGRESS_DNS_SERVERS,
      logger,
    }),
    embedBase: config.EMBED_BASE_URL,
    logger,
    trustedProxies: config.TRUSTED_PROXIES,
  })
  const server = app.listen(config.API_PORT, config.API_HOST, (error) => {
    if (error) throw error
    logger.info({ port: config.API_PORT }, 'api is ready')
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
