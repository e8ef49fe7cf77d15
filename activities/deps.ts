import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { Protection } from '../domain/plan.ts'
import type { KeyProvider } from '../drm/key-provider.ts'
import type { Egress } from '../egress/egress.ts'
import type { MasterKeys } from '../security/sealing.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'

/** What the composition root hands to the activities. */
export interface ActivityDeps {
  db: Database
  masterKeys: MasterKeys
  egress: Egress
  storage: ObjectStorage
  /** Makes the content keys of a plan; throws where the operator has not configured that protection. */
  keyProvider: (protection: Protection) => KeyProvider
  /** Scratch space of this machine; everything in it can be made again. */
  workDir: string
  /** How many encoders may run on this machine at once. */
  encodeProcesses: number
  /** How long a tool may go without progress: two minutes, unless a test cannot wait for it. */
  stallMs?: number
  logger: Logger
}
