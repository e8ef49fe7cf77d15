import { formatBytes } from '../../domain/format-bytes.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import type { DrillResult } from '../backup/drill-backup.ts'
import type { Context } from '../context.ts'
import { CliError, UsageError } from '../errors.ts'
import { fields, table } from '../output.ts'
import { storageConfig } from '../storage-config.ts'
import type { RegisterVerbs } from '../verb.ts'

interface Options {
  backup?: string
  drill?: boolean
  objects?: boolean
  skipDamaged?: boolean
}

/** `restore DIR`: restores a backup into an empty database and the storage, or tries out that it can be restored. */
export const restore: RegisterVerbs = (program, run) => {
  program
    .command('restore')
    .description('restore a backup into an empty database and the storage, before any process runs')
    .argument('<dir>', 'folder of the backups')
    .option('--backup <name>', 'its name (default: the newest)')
    .option('--skip-damaged', 'restore the rest if objects of the backup are damaged')
    .option(
      '--objects',
      'restore only the objects that the storage lost, for the videos of a database that survived',
    )
    .option(
      '--drill',
      'only try it out: restore into a scratch database, and decrypt the first and last segment of every video',
    )
    .action(run(restoreOrDrill))
}

async function restoreOrDrill(context: Context, options: Options, [dir = '']: string[]) {
  if (options.drill && options.skipDamaged)
    throw new UsageError('A drill restores no objects, so it skips none.', {
      param: '--skip-damaged',
    })
  if (options.drill && options.objects)
    throw new UsageError('A drill restores no objects.', { param: '--objects' })
  if (options.objects) return bringBackObjects(context, options, dir)
  if (options.drill) return tryOut(context, options, dir)
  return bringBack(context, options, dir)
}

async function bringBack(context: Context, { backup: name, skipDamaged }: Options, dir: string) {
  // Loaded only here, because the client of S3 loads slowly.
  const [{ restoreBackup }, { createStorage, prepareStorage }] = await Promise.all([
    import('../backup/restore-backup.ts'),
    import('../../storage/object-storage.ts'),
  ])
  const config = storageConfig(context)
  await prepareStorage(config)
  const { manifest, restored, ...amendment } = await restoreBackup({
    dir,
    name,
    databaseUrl: context.databaseDirectUrl(),
    masterKeys: await context.uncheckedMasterKeys(),
    storage: createStorage(config),
    skipsDamaged: skipDamaged === true,
    note: (line) => context.out.note(line),
  })
  const record = {
    name: manifest.name,
    taken_at: isoUtc(new Date(manifest.taken_at)),
    videos: manifest.videos,
    objects: restored.objects,
    object_bytes: restored.bytes,
    damaged_objects: restored.damaged,
    deleted_videos: amendment.deleted,
    repeated_videos: amendment.repeated,
    incomplete_videos: amendment.incomplete,
  }
  context.out.print(
    record,
    fields([
      ['restored', `${manifest.name}, as of ${manifest.taken_at}`],
      ['videos', String(manifest.videos)],
      [
        'objects',
        `${restored.objects} (${formatBytes(restored.bytes)}) that the storage did not have`,
      ],
      ['damaged', `${restored.damaged.length} objects`],
      ['incomplete', amendment.incomplete.join(', ') || 'none'],
      ['next', 'start the processes: within two minutes they continue ingests and deliveries'],
    ]),
  )
}

async function bringBackObjects(context: Context, options: Options, dir: string): Promise<void> {
  const [{ restoreLostObjects }, { createStorage, prepareStorage }] = await Promise.all([
    import('../backup/restore-lost-objects.ts'),
    import('../../storage/object-storage.ts'),
  ])
  const config = storageConfig(context)
  await context.entityManager()
  await prepareStorage(config)
  const { manifest, restored, incomplete } = await restoreLostObjects({
    dir,
    name: options.backup,
    databaseUrl: context.databaseDirectUrl(),
    storage: createStorage(config),
    skipsDamaged: options.skipDamaged === true,
    note: (line) => context.out.note(line),
  })
  context.out.print(
    {
      name: manifest.name,
      taken_at: isoUtc(new Date(manifest.taken_at)),
      objects: restored.objects,
      object_bytes: restored.bytes,
      damaged_objects: restored.damaged,
      incomplete_videos: incomplete,
    },
    fields([
      ['objects', `${restored.objects} (${formatBytes(restored.bytes)}) of ${manifest.name}`],
      ['damaged', `${restored.damaged.length} objects`],
      ['incomplete', incomplete.join(', ') || 'none'],
    ]),
  )
}

async function tryOut(context: Context, { backup: name }: Options, dir: string): Promise<void> {
  const { drillBackup } = await import('../backup/drill-backup.ts')
  const result = await drillBackup({
    dir,
    name,
    databaseUrl: context.databaseDirectUrl(),
    masterKeys: await context.uncheckedMasterKeys(),
    note: (line) => context.out.note(line),
  })
  const { manifest, sealedValues, videos } = result
  const failed = videos.filter(({ problem }) => problem !== null)
  const record = {
    ok: failed.length === 0,
    name: manifest.name,
    taken_at: isoUtc(new Date(manifest.taken_at)),
    sealed_values: sealedValues,
    segments: segmentsOf(result),
    videos,
  }
  context.out.print(record, reportOf(result))
  if (failed.length > 0)
    throw new CliError(
      `${failed.length} of ${videos.length} videos cannot be restored from ${manifest.name}.`,
      { code: 'checks_failed' },
    )
}

const segmentsOf = ({ videos }: DrillResult): number =>
  videos.reduce((sum, { segments }) => sum + segments, 0)

function reportOf(result: DrillResult): string {
  const rows = result.videos.map(({ id, segments, problem }) => [
    id,
    problem === null ? 'ok' : 'failed',
    problem ?? `${segments} segments`,
  ])
  return [
    table(['VIDEO', 'RESULT', 'DETAIL'], rows, 'The backup has no videos.'),
    `${result.manifest.name}: ${result.sealedValues} sealed values open, ${segmentsOf(result)} segments decrypt.`,
  ].join('\n\n')
}
