import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { Reelgate, ReelgateError } from '../../sdk/src/index.ts'
import {
  addApiOptions,
  cliErrorOfApi,
  interruption,
  readApiAccess,
  type ApiOptions,
} from '../api-access.ts'
import { parseId } from '../arguments.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { checkLines } from '../moving/import/check-lines.ts'
import { createFolderIds } from '../moving/import/folder-ids.ts'
import { importLibrary } from '../moving/import/import-library.ts'
import { createImportReport, type ImportReport } from '../moving/import/import-report.ts'
import { openJournal, type Journal } from '../moving/import/journal.ts'
import { createPatience } from '../moving/import/patience.ts'
import { planImport, planRecord, planText } from '../moving/import/plan-import.ts'
import { openLibrary, type Library } from '../moving/import/read-lines.ts'
import { redirectLines, writeLines } from '../moving/import/report-file.ts'
import { readServerState } from '../moving/import/server-state.ts'
import type { RegisterVerbs } from '../verb.ts'

interface Options extends ApiOptions {
  atOnce: number
  dryRun?: boolean
  wait?: boolean
  keepOriginal?: boolean
  journal?: string
  report?: string
  redirects?: string
}

const AT_ONCE_MAX = 32

/** `import MANIFEST|FOLDER`, which uses only the API. */
export const importVerb: RegisterVerbs = (program, run) => {
  const command = program
    .command('import')
    .description(
      'import the videos of a manifest or a folder; the same command continues an interrupted run',
    )
    .argument('<manifest or folder>', 'a file of NDJSON lines (docs/moving.md), or a folder')
    .option('--at-once <n>', 'how many videos at a time', parseAtOnce, 3)
    .option('--dry-run', 'check every line, and say what would be sent and what it takes')
    .option('--wait', 'wait until every video is ready; sets posters too')
    .option('--keep-original', 'keep the files, whatever the setting of the account is')
    .option('--journal <file>', 'where the run notes what is done (default: beside the manifest)')
    .option('--report <file>', 'write what became of each line, as NDJSON')
    .option('--redirects <file>', 'write a CSV of each old_url and its new address')
    .action(run(importVideos))
  addApiOptions(command, 'videos:write, videos:read, folders:read and folders:write')
}

function parseAtOnce(text: string): number {
  const count = parseId(text)
  if (count > AT_ONCE_MAX) throw new InvalidArgumentError(`It must be at most ${AT_ONCE_MAX}.`)
  return count
}

async function importVideos(
  context: Context,
  options: Options,
  [given = '']: string[],
): Promise<void> {
  const library = await openLibrary(given)
  const journal = await openJournal(resolve(options.journal ?? library.journalPath))
  try {
    if (options.dryRun) await showPlan(context, library, journal)
    else await importAll(context, options, library, journal)
  } finally {
    await journal.close()
  }
}

async function showPlan({ out }: Context, library: Library, journal: Journal): Promise<void> {
  const plan = await planImport(library, journal, interruption())
  out.print(planRecord(plan), planText(plan))
}

async function importAll(
  context: Context,
  options: Options,
  library: Library,
  journal: Journal,
): Promise<void> {
  const { api, apiKey } = await readApiAccess(context, options)
  const checked = await checkLines(library)
  const report = createImportReport(context.out, checked)
  const reelgate = new Reelgate({ apiKey, baseUrl: api })
  const signal = interruption()
  try {
    await runImport({ reelgate, library, journal, report, signal, options })
    await writeFiles(reelgate, options, report)
  } catch (error) {
    if (error instanceof ReelgateError) throw cliErrorOfApi(error, api)
    if (!signal.aborted) throw error
  }
  const { counts } = report
  context.out.print(
    { object: 'import', lines: checked.lines, ...counts },
    `${counts.imported} imported, ${counts.present} present before, ${counts.failed} failed, ${counts.interrupted} interrupted.`,
  )
  const missing = checked.lines - counts.imported - counts.present
  if (missing > 0)
    throw new CliError(`${missing} of ${checked.lines} lines were not imported.`, {
      code: 'import_incomplete',
    })
}

interface ImportParts {
  reelgate: Reelgate
  library: Library
  journal: Journal
  report: ImportReport
  signal: AbortSignal
  options: Options
}

async function runImport(parts: ImportParts): Promise<void> {
  const { reelgate, library, journal, report, signal, options } = parts
  // Also says at once, and without patience, if there is no service or the key is wrong.
  await reelgate.uploads.list({ limit: 1 }, { signal })
  const patiently = createPatience(signal, report.waiting)
  const run = {
    reelgate,
    base: library.base,
    journal,
    server: await patiently(() => readServerState(reelgate, journal, signal)),
    folders: createFolderIds(reelgate, patiently, signal),
    patiently,
    keepOriginal: options.keepOriginal,
    claims: new Map<string, number>(),
    onSent: report.sent,
    signal,
  }
  const { atOnce, wait = false } = options
  await importLibrary({ run, library, atOnce, wait, onOutcome: report.end })
}

/** The addresses of an account differ only by the ids of their videos, so one is asked for. */
async function writeFiles(
  reelgate: Reelgate,
  { report: reportPath, redirects: redirectsPath }: Options,
  report: ImportReport,
): Promise<void> {
  if (reportPath !== undefined) await writeLines(resolve(reportPath), report.lines())
  if (redirectsPath === undefined) return
  const [first] = report.redirects()
  const embed = first && (await reelgate.videos.getEmbed(first.videoId))
  const addressOf = (videoId: string): string =>
    (embed?.embed_url ?? '').replace(first?.videoId ?? '', videoId)
  await writeLines(resolve(redirectsPath), redirectLines(report.redirects(), addressOf))
}
