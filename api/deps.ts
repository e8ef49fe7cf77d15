import type { Logger } from 'pino'
import type { RateLimits } from '../db/api-keys.ts'
import type { Database } from '../db/database.ts'
import type { Egress } from '../egress/egress.ts'
import type { MasterKeys } from '../security/sealing.ts'
import type { LongPolls } from './long-polls.ts'

/** What the composition root hands to the API. */
export interface ApiDeps {
  db: Database
  masterKeys: MasterKeys
  egress: Egress
  /** Where integrators reach the API, without a slash at the end. */
  apiBase: string
  /** Where viewers reach the player, without a slash at the end. */
  embedBase: string
  /** Of each key; 120 a minute and 10,000 a day in the contract (spec, "Limits"). */
  rateLimits: RateLimits
  /** Of Stripe's webhook endpoint, `whsec_…`; null: Stripe is not connected. */
  stripeWebhookSecret: string | null
  /** Whether videos of Multi-DRM plans can get their keys. */
  hasDrmProvider: boolean
  /** Where requests wait for events. */
  longPolls: LongPolls
  logger: Logger
  /** How many proxies in front are trusted for X-Forwarded-*. */
  trustedProxies: number
}
