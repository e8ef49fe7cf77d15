import { pingForBackup } from '../../db/backup/connection.ts'
import { assertLoadable, finishLoad, loadDump } from '../../db/backup/load-dump.ts'
import { openDatabase } from '../../db/database.ts'
import { formatBytes } from '../../domain/format-bytes.ts'
import { checkMasterKeys } from '../../processes/open-master-keys.ts'
import type { MasterKeys } from '../../security/sealing/sealing.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import { audited } from '../audited.ts'
import { assertMasterKeys } from './assert-master-keys.ts'
import { openBackup } from './backup-folder.ts'
import { describeFailure } from './errors.ts'
import { amendLoaded, dumpOf, type Amendment } from './load-backup.ts'
import type { Manifest } from './manifest.ts'
import { restoreObjects, type RestoredObjects } from './restore-objects.ts'
import { withStorageErrors } from './storage-errors.ts'
import { throttled } from './throttled.ts'

export interface RestoreOptions {
  dir: string
  /** The newest by default. */
  name?: string | undefined
  databaseUrl: string
  masterKeys: MasterKeys
  storage: ObjectStorage
  skipsDamaged: boolean
  note: (line: string) => void
}

export interface RestoreResult extends Amendment {
  manifest: Manifest
  restored: RestoredObjects
}

/**
 * Restores a backup into an empty database and the storage. Safe to repeat after a kill. Throws, before it changes
 * anything, if a file of the database's part is damaged, the master keys are not those of the backup, a newer version
 * made it, or the database is not empty.
 */
export const restoreBackup = (options: RestoreOptions): Promise<RestoreResult> =>
  describeFailure(restore(options))

async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { dir, name, databaseUrl, masterKeys, storage, skipsDamaged, note } = options
  // Before the files are compared with their checksums, which takes longer.
  await pingForBackup(databaseUrl)
  const backup = await openBackup(dir, name)
  const { manifest } = backup
  assertMasterKeys(manifest, masterKeys)
  const dump = dumpOf(backup)
  await assertLoadable(databaseUrl, dump)
  note(`Restoring ${manifest.name}: ${manifest.videos} videos, ${manifest.objects.count} objects …`)
  const onVideo = throttled((one: RestoredObjects) =>
    note(`${one.objects} objects (${formatBytes(one.bytes)}) restored …`),
  )
  const restored = await restoreObjects(backup, {
    storage: withStorageErrors(storage),
    skipsDamaged,
    onVideo,
  })
  note('Loading the database …')
  await loadDump(databaseUrl, dump)
  const db = await openDatabase({ url: databaseUrl, poolSize: 2 })
  try {
    await checkMasterKeys(db.em.fork(), masterKeys)
    const amendment = await amendLoaded(db, backup)
    await audited(
      db.em.fork(),
      async () => undefined,
      () => ({
        accountId: null,
        action: 'installation.restore',
        subject: manifest.name,
        fields: [],
      }),
    )
    await finishLoad(databaseUrl)
    return { manifest, restored, ...amendment }
  } finally {
    await db.close(true)
  }
}
