import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import type { MasterKeys } from '../../security/sealing.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'

/** What the composition root hands to the player host. */
export interface PlayerDeps {
  db: Database
  masterKeys: MasterKeys
  storage: ObjectStorage
  /** Where viewers reach this host, without a slash at the end. */
  embedBase: string
  /** Where segments are fetched: this host, or a CDN in front of it. */
  mediaBase: string
  serviceDomains: string[]
  /** Where viewers reach the Direct Play pages, on a host name of its own; null where there are none. */
  directPlayBase: string | null
  /** Where the Android app is to be had; null where the operator has not said. */
  appStoreUrl: string | null
  /** Told of every byte of a video that was served. */
  countServed: (videoId: string, bytes: number) => void
  trustedProxies: number
  /** Memory for segments that are asked for again and again; 64 MiB by default. */
  segmentCacheBytes?: number
  /**
   * Where it is set, segments are answered with redirects to presigned addresses of the storage, which
   * lead to this origin; else they are streamed.
   */
  redirectOrigin?: string
  logger: Logger
}
