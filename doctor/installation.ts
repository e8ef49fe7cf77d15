import type { Config } from '../config/config.ts'
import type { EntityManager } from '../db/database.ts'
import type { Runtime } from '../processes/runtime-file.ts'
import type { MasterKeys } from '../security/sealing/sealing.ts'
import type { StorageConfig } from '../storage/object-storage.ts'

/** What is checked, as one process reaches it. */
export interface Installation {
  config: Config
  dataDir: string
  /** The running instance of the data folder, or null. */
  runtime: Pick<Runtime, 'api' | 'player' | 'dashboard'> | null
  /** Null for a process that has no access to the storage: what needs it is not checked. */
  storage: StorageConfig | null
  /** Opens a separate unit of work. */
  entityManager(): Promise<EntityManager>
  /** The keys of this process, not compared with those of the database. */
  uncheckedMasterKeys(): Promise<MasterKeys>
  /** host:port of Temporal. */
  temporalAddress(): string
}
