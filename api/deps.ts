import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { Egress } from '../egress/egress.ts'
import type { MasterKeys } from '../security/sealing.ts'

/** What the composition root hands to the API. */
export interface ApiDeps {
  db: Database
  masterKeys: MasterKeys
  egress: Egress
  /** Where viewers reach the player, without a slash at the end. */
  embedBase: string
  logger: Logger
  /** How many proxies in front are trusted for X-Forwarded-*. */
  trustedProxies: number
}
