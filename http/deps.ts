import type { Logger } from 'pino'
import type { RateLimits } from '../db/accounts/write-api-keys.ts'
import type { Database } from '../db/database.ts'
import type { Egress } from '../egress/egress.ts'
import type { Bodies } from '../processes/bodies/read-body.ts'
import type { MasterKeys } from '../security/sealing/sealing.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import type { LongPolls } from './long-polls.ts'

interface UploadSettings {
  /** Where clients send the bytes of uploads, without a slash at the end. */
  base: string
  /** How many unfinished uploads an account may have. */
  openMax: number
}

/** What the operations need from the start of a process. */
export interface OperationDeps {
  db: Database
  masterKeys: MasterKeys
  egress: Egress
  /** Reads the bodies of this process, within its limits. */
  bodies: Bodies
  /** Where integrators reach the API, without a slash at the end. */
  apiBase: string
  /** Where viewers reach the player, without a slash at the end. */
  embedBase: string
  /** Whether keys and licences of Multi-DRM plans are configured. */
  hasDrmProvider: boolean
  /** What uploads need. */
  uploads: UploadSettings
  /** Requests that wait for events. */
  longPolls: LongPolls
  logger: Logger
}

/** What the API needs from the start of its process. */
export interface ApiDeps extends OperationDeps {
  /** Where sources of uploads are stored. */
  storage: ObjectStorage
  /** Limits of each key; 120 a minute and 10,000 a day by the contract (contract, "Limits"). */
  rateLimits: RateLimits
  /** The secret of Stripe's webhook endpoint, `whsec_…`; null if Stripe is not connected. */
  stripeWebhookSecret: string | null
  /** How many proxies in front of the API are trusted for X-Forwarded-*. */
  trustedProxies: number
}
