import { findAccount } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import { readFolderNames, readLibrary, type LibraryFilter } from '../../db/videos/library.ts'
import { formatBytes } from '../../domain/format-bytes.ts'
import { embedUrl } from '../../domain/playback/embed-url.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { interruption } from '../api-access.ts'
import { parseAccountId, parseName } from '../arguments.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { CliError, noAccount } from '../errors.ts'
import { openExportFolder } from '../moving/export/export-folder.ts'
import { openExportJournal } from '../moving/export/export-journal.ts'
import { exportLibrary, type ExportOutcome } from '../moving/export/export-library.ts'
import { printable } from '../output.ts'
import { storageConfig } from '../storage-config.ts'
import type { RegisterVerbs } from '../verb.ts'

interface Options {
  folder?: string
  video?: string[]
  oldUrls?: boolean
}

/** `export ACCOUNT FOLDER`: writes the videos of an account, decrypted, with a manifest that `import` reads. */
export const exportVerb: RegisterVerbs = (program, run) => {
  program
    .command('export')
    .description(
      'write the videos of an account, decrypted, with captions, chapters and a manifest; the same command continues',
    )
    .argument('<account id>', 'account id')
    .argument('<dir>', 'a folder that is empty or does not exist')
    .option('--folder <name>', 'only the videos of this folder of the account', parseName)
    .option('--video <id...>', 'only these videos')
    .option('--old-urls', 'write the addresses of this installation as old_url')
    .action(run(exportVideos))
}

async function exportVideos(
  context: Context,
  options: Options,
  [idText = '', dir = '']: string[],
): Promise<void> {
  const em = await context.entityManager()
  const accountId = parseAccountId(idText)
  if (!(await findAccount(em, accountId))) throw noAccount(accountId)
  const folderNames = await readFolderNames(em, accountId)
  const filter = filterOf(accountId, options, folderNames)
  const masterKeys = await context.masterKeys()
  const folder = await openExportFolder(context, dir, accountId)
  await audit(em, accountId)
  const journal = await openExportJournal(folder)
  const entityManager = (): Promise<EntityManager> => context.entityManager()
  const storage = createStorage(storageConfig(context))
  const counts = { exported: 0, skipped: 0, failed: 0 }
  const run = {
    entityManager,
    masterKeys,
    storage,
    folder,
    journal,
    folderNames,
    withoutId: new Set<string>(),
    addressOf: (id: string) =>
      options.oldUrls ? embedUrl(context.embedBase, id, accountId) : null,
    work: { signal: interruption() },
  }
  try {
    await exportLibrary(run, readLibrary(entityManager, filter), (outcome) => {
      counts[outcome.state] += 1
      context.out.print(recordOf(outcome), textOf(outcome))
    })
  } finally {
    await journal.close()
  }
  const summary = `${counts.exported} exported, ${counts.skipped} skipped, ${counts.failed} failed.`
  context.out.print({ object: 'export', dir: folder.path, ...counts }, summary)
  if (counts.failed > 0)
    throw new CliError(`${counts.failed} videos were not exported.`, { code: 'export_incomplete' })
}

function filterOf(
  accountId: number,
  { folder, video: ids }: Options,
  folderNames: ReadonlyMap<number, string>,
): LibraryFilter {
  if (folder === undefined) return { accountId, ids }
  const name = folder.normalize('NFC')
  const [folderId] = [...folderNames].find(([, one]) => one === name) ?? []
  if (folderId === undefined)
    throw new CliError(`The account has no folder ${folder}.`, {
      code: 'folder_not_found',
      param: '--folder',
    })
  return { accountId, ids, folderId }
}

/** Before the first byte, because what is read is decrypted. */
const audit = (em: EntityManager, accountId: number): Promise<void> =>
  audited(
    em,
    async () => undefined,
    () => ({
      accountId,
      action: 'account.export_videos',
      subject: String(accountId),
      fields: [],
    }),
  )

const recordOf = ({ video, state, exported, reason }: ExportOutcome) => ({
  object: 'exported_video',
  id: video.id,
  state,
  file: exported?.written.name ?? null,
  size_bytes: exported?.written.sizeBytes ?? null,
  sha256: exported?.written.sha256 ?? null,
  is_original: exported?.written.isOriginal ?? null,
  reason,
})

function textOf({ video, state, exported, reason }: ExportOutcome): string {
  const name = `${printable(video.title)} (${video.id})`
  if (!exported) return `${name}: ${state}. ${reason ?? ''}`
  const { written } = exported
  const what = written.isOriginal ? 'the original' : 'the best rendition'
  return `${name}: ${what}, ${formatBytes(written.sizeBytes)}, videos/${written.name}`
}
