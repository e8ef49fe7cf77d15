import type { EntityManager } from '../../../db/database.ts'
import type { MediaWork } from '../../../media/run-tool.ts'
import type { MasterKeys } from '../../../security/sealing/sealing.ts'
import type { ObjectStorage } from '../../../storage/object-storage.ts'
import type { ExportFolder } from './export-folder.ts'
import type { ExportJournal } from './export-journal.ts'

/** What all videos of an export share. */
export interface ExportRun {
  /** Opens a unit of work. */
  entityManager: () => Promise<EntityManager>
  masterKeys: MasterKeys
  storage: ObjectStorage
  folder: ExportFolder
  journal: ExportJournal
  folderNames: ReadonlyMap<number, string>
  /** Checksums of videos without an external id, so that two of the same content stay two. */
  withoutId: Set<string>
  /** Returns the address that goes into `old_url`; null if none does. */
  addressOf: (videoId: string) => string | null
  /** Ends with the signal of Ctrl-C. */
  work: MediaWork
}
