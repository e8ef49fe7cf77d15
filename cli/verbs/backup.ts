import { formatBytes } from '../../domain/format-bytes.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { parseId } from '../arguments.ts'
import type { Context } from '../context.ts'
import { fields } from '../output.ts'
import { storageConfig } from '../storage-config.ts'
import type { RegisterVerbs } from '../verb.ts'

interface Options {
  keep?: number
}

/** `backup DIR`: backs up the database and the objects of all videos, while both are in use. */
export const backup: RegisterVerbs = (program, run) => {
  program
    .command('backup')
    .description(
      'back up the database and all objects into a folder; objects that it has are not copied again',
    )
    .argument('<dir>', 'folder of the backups of this installation')
    .option('--keep <count>', 'remove all but this many backups', parseId)
    .action(run(create))
}

async function create(context: Context, { keep }: Options, [dir = '']: string[]): Promise<void> {
  // Loaded only here, because the client of S3 loads slowly.
  const [{ createBackup }, { createStorage }] = await Promise.all([
    import('../backup/create-backup.ts'),
    import('../../storage/object-storage.ts'),
  ])
  const { manifest, path, count, removed } = await createBackup({
    dir,
    databaseUrl: context.databaseDirectUrl(),
    storage: createStorage(storageConfig(context)),
    keep: keep ?? null,
    note: (line) => context.out.note(line),
  })
  const { objects } = manifest
  const record = {
    name: manifest.name,
    path,
    taken_at: isoUtc(new Date(manifest.taken_at)),
    videos: manifest.videos,
    objects: objects.count,
    object_bytes: objects.bytes,
    new_objects: count.newObjects,
    new_bytes: count.newBytes,
    read_objects: count.readObjects,
    database_bytes: manifest.tables.reduce((sum, { file }) => sum + file.bytes, 0),
    incomplete_videos: manifest.incomplete_videos,
    removed_backups: removed,
  }
  const incomplete = manifest.incomplete_videos.join(', ')
  context.out.print(
    record,
    fields([
      ['backup', path],
      ['database', formatBytes(record.database_bytes)],
      ['videos', String(record.videos)],
      ['objects', `${objects.count} (${formatBytes(objects.bytes)})`],
      ['new', `${count.newObjects} (${formatBytes(count.newBytes)})`],
      ...(removed.length > 0 ? [['removed', removed.join(', ')] satisfies [string, string]] : []),
      ...(incomplete === ''
        ? []
        : [
            ['incomplete', `${incomplete}: objects are missing in the storage`] satisfies [
              string,
              string,
            ],
          ]),
    ]),
  )
}
