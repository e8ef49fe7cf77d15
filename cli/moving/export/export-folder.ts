import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { parseJson } from '../../../domain/parse-json.ts'
import { readSystemError } from '../../../processes/system-error.ts'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors.ts'
import { storageConfig } from '../../storage-config.ts'
import { isInside } from '../inside-folder.ts'

const PROGRAM = fileURLToPath(new URL('../../..', import.meta.url))

/** Says of which account a folder is the export. It is written first. */
const MARK = 'export.json'
const WORK = '.work-'
const WRITABLE_BY_OTHERS = 0o022
const markSchema = z.object({ account_id: z.number() })

/** The places of an export. */
export interface ExportFolder {
  path: string
  manifest: string
  journal: string
  /** Videos, captions and posters. */
  files: string
  /** What this run has not finished; removed at its end, and by the next run, which takes its place. */
  work: string
}

/**
 * Makes the folder of an export, or opens one that an earlier run began for the same account. Only the user of this process can read it.
 * Throws a CliError if it has other files, if others can write to it, or if it is where the service keeps or serves files.
 */
export async function openExportFolder(
  context: Context,
  dir: string,
  accountId: number,
): Promise<ExportFolder> {
  const path = await realPathOf(resolve(dir))
  await refuseUnsafe(context, path)
  await mkdir(path, { recursive: true, mode: 0o700 })
  await refuseShared(path)
  await claimFolder(path, accountId)
  await chmod(path, 0o700)
  const files = join(path, 'videos')
  await mkdir(files, { recursive: true, mode: 0o700 })
  return {
    path,
    manifest: join(path, 'manifest.ndjson'),
    journal: join(path, 'export.journal'),
    files,
    work: await openWork(path),
  }
}

/** Makes a folder that no other run has: two that wrote the same unfinished file would finish one that is neither. */
async function openWork(path: string): Promise<string> {
  for (const name of await readdir(path))
    if (name.startsWith(WORK)) await rm(join(path, name), { recursive: true, force: true })
  const work = await mkdtemp(join(path, WORK))
  // The packager puts its own files beside the folder that it writes to.
  await mkdir(join(work, 'tracks'), { mode: 0o700 })
  return work
}

/** The path without links, as far as it exists. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (readSystemError(error).code !== 'ENOENT' || dirname(path) === path) throw error
    return join(await realPathOf(dirname(path)), basename(path))
  }
}

async function refuseUnsafe(context: Context, path: string): Promise<void> {
  const storage = storageConfig(context)
  const places = [
    { place: context.dataDir, what: 'the data folder of the installation' },
    { place: PROGRAM, what: 'the folder of the program, of which parts are served' },
    ...(storage.driver === 'folder' ? [{ place: storage.dir, what: 'the object storage' }] : []),
  ]
  for (const { place, what } of places)
    if (isInside(path, await realPathOf(resolve(place))))
      throw new CliError(`${path} is in ${what}. Choose a folder that nothing serves.`, {
        code: 'export_folder_unsafe',
      })
}

/** Another user may have put links into a folder, through which this process would write anywhere; and its owner can always read it. */
async function refuseShared(path: string): Promise<void> {
  const { uid, mode } = await stat(path)
  const isOwn = uid === (process.geteuid?.() ?? uid)
  // What is in it could still be by others if it is closed only now.
  if (isOwn && (await readdir(path)).length === 0) return chmod(path, 0o700)
  if (isOwn && (mode & WRITABLE_BY_OTHERS) === 0) return
  throw new CliError(
    `${path} ${isOwn ? 'can be written by other users' : 'belongs to another user'}. Choose a folder that does not exist.`,
    { code: 'export_folder_unsafe' },
  )
}

async function claimFolder(path: string, accountId: number): Promise<void> {
  const mark = join(path, MARK)
  const entries = await readdir(path)
  const text = entries.includes(MARK) ? await readFile(mark, 'utf8') : ''
  // A killed run or a full disk may have left it empty.
  if (text === '' && entries.every((name) => name === MARK)) {
    await rm(mark, { force: true })
    const written = `${JSON.stringify({ account_id: accountId })}\n`
    return writeFile(mark, written, { mode: 0o600, flag: 'wx' })
  }
  const parsed = markSchema.safeParse(parseJson(text))
  if (parsed.data?.account_id === accountId) return
  throw new CliError(`${path} is not empty, and is no export of the account ${accountId}.`, {
    code: 'export_folder_not_empty',
  })
}
