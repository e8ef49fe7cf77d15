import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { Protection } from '../domain/accounts/plan.ts'
import type { EncodeMode } from '../domain/ingest/encode-mode.ts'
import type { KeyProvider } from '../drm/key-provider.ts'
import type { Egress } from '../egress/egress.ts'
import type { MasterKeys } from '../security/sealing/sealing.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'

/** The dependencies that the composition root passes to the activities. */
export interface ActivityDeps {
  db: Database
  masterKeys: MasterKeys
  egress: Egress
  /** The client of Temporal, for activities that cancel or look up workflows. */
  client: Client
  /** The namespace of the workflows of deliveries; the client has that of all others. */
  deliveriesNamespace: string
  storage: ObjectStorage
  /** Returns the provider of content keys; throws if the operator has not configured that protection. */
  keyProvider: (protection: Protection) => KeyProvider
  /** Scratch space of this machine; everything in it can be recreated. */
  workDir: string
  /** The folder of this process for the files of its running activities, on the same file system as `workDir`. */
  ownDir: string
  /** Whether encodes should be done soon, or need fewer bytes; speed by default. */
  encodeMode?: EncodeMode
  /** The length of the chunks that videos are cut into: about 32 s by default, shorter in tests. */
  chunkSeconds?: number
  /** How long a tool may run without progress: two minutes by default, shorter in tests. */
  stallMs?: number
  logger: Logger
}

/** Returns an activity as workflows call it, bound to what it needs. */
export const withDeps =
  <Deps, Input extends unknown[], Result>(
    deps: Deps,
    activity: (deps: Deps, ...input: Input) => Result,
  ) =>
  (...input: Input): Result =>
    activity(deps, ...input)
