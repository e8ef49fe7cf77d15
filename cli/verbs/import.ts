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
import { CliError, UsageError } from '../errors.ts'
import {
  openBucket,
  parseBucketName,
  parseEndpoint,
  readBucketAddress,
  type BucketOptions,
} from '../moving/import/bucket.ts'
import { checkLines } from '../moving/import/check-lines.ts'
import { createFolderIds } from '../moving/import/folder-ids.ts'
import { importLibrary } from '../moving/import/import-library.ts'
import { createImportReport, type ImportReport } from '../moving/import/import-report.ts'
import { openJournal, type Journal } from '../moving/import/journal.ts'
import { createPatience } from '../moving/import/patience.ts'
import { leftOutText, planImport, planRecord, planText } from '../moving/import/plan-import.ts'
import { openBucketLibrary } from '../moving/import/read-bucket.ts'
import { openLibrary, type Library } from '../moving/import/read-lines.ts'
import { redirectLines } from '../moving/import/redirect-lines.ts'
import { readServerState } from '../moving/import/server-state.ts'
import { writeWhole } from '../moving/write-whole.ts'
import type { RegisterVerbs } from '../verb.ts'

interface Options extends ApiOptions, BucketOptions {
  bucket?: string
  atOnce: number
  dryRun?: boolean
  wait?: boolean
  keepOriginal?: boolean
  journal?: string
  report?: string
  redirects?: string
}

const AT_ONCE_MAX = 32

/** `import MANIFEST|FOLDER|s3://BUCKET/FOLDER`, which uses only the API, and the bucket to list it. */
export const importVerb: RegisterVerbs = (program, run) => {
  const command = program
    .command('import')
    .description(
      'import the videos of a manifest, a folder or a bucket; the same command continues an interrupted run',
    )
    .argument(
      '<manifest or folder>',
      'a file of NDJSON lines (docs/moving.md), a folder, or s3://bucket/folder',
    )
    .option('--at-once <n>', 'how many videos at a time', parseAtOnce, 3)
    .option('--dry-run', 'check every line, and say what would be sent and what it takes')
    .option('--wait', 'wait until every video is ready; sets posters too')
    .option('--keep-original', 'keep the files, whatever the setting of the account is')
    .option('--journal <file>', 'where the run notes what is done (default: beside the manifest)')
    .option('--report <file>', 'write what became of each line, as NDJSON')
    .option('--redirects <file>', 'write a CSV of each old_url and its new address')
    .option('--bucket <name>', 'where the objects are that lines name by key', parseBucketName)
    .option('--region <region>', 'region of the bucket (default: AWS_REGION)')
    .option(
      '--endpoint-url <url>',
      'S3 service of the bucket (default: AWS_ENDPOINT_URL_S3, else AWS in the region)',
      parseEndpoint,
    )
    .addHelpText('after', BUCKET_HELP)
    .action(run(importVideos))
  addApiOptions(command, 'videos:write, videos:read, folders:read and folders:write')
}

const BUCKET_HELP = `
A bucket is opened by AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN in the environment, or by files that
AWS_ACCESS_KEY_ID_FILE, AWS_SECRET_ACCESS_KEY_FILE and AWS_SESSION_TOKEN_FILE name. The service keeps them sealed until the last video is made.`

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
  const library = await openGiven(context, options, given)
  const journalPath = resolve(options.journal ?? library.journalPath)
  const journal = await openJournal(journalPath)
  try {
    refuseOtherBucket(journal, library, journalPath)
    if (options.dryRun) await showPlan(context, library, journal)
    else await importAll(context, options, library, journal)
  } finally {
    await journal.close()
  }
}

/** Opens what is imported. A bucket is listed here, once. */
async function openGiven({ config }: Context, options: Options, given: string): Promise<Library> {
  const address = readBucketAddress(given)
  const name = address?.name ?? options.bucket
  const bucket = name === undefined ? null : openBucket(config, name, options)
  if (address === null || bucket === null) return openLibrary(given, bucket)
  if (options.bucket !== undefined)
    throw new UsageError(`${given} names a bucket: leave --bucket out.`, { param: '--bucket' })
  return openBucketLibrary(bucket, address, interruption())
}

/** Two buckets may have objects of the same names, and lines of the same external ids. */
function refuseOtherBucket(journal: Journal, { bucket }: Library, path: string): void {
  const [noted, given] = [journal.bucket, bucket?.place]
  if (noted === null || given === undefined) return
  if (noted.name === given.name && noted.endpoint === given.endpoint) return
  throw new CliError(
    `The journal ${path} is about the bucket ${noted.name} at ${noted.endpoint}: name another file with --journal.`,
    { code: 'journal_of_another_bucket', param: '--journal' },
  )
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
  if (library.leftOut > 0) context.out.note(leftOutText(library.leftOut))
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
  if (library.bucket !== null) await journal.noteBucket(library.bucket.place)
  const run = {
    reelgate,
    base: library.base,
    bucket: library.bucket,
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
  if (reportPath !== undefined) await writeWhole(resolve(reportPath), report.lines())
  if (redirectsPath === undefined) return
  const [first] = report.redirects()
  const embed = first && (await reelgate.videos.getEmbed(first.videoId))
  const addressOf = (videoId: string): string =>
    (embed?.embed_url ?? '').replace(first?.videoId ?? '', videoId)
  await writeWhole(resolve(redirectsPath), redirectLines(report.redirects(), addressOf))
}
