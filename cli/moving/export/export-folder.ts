import { chmod, mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
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
const markSchema = z.object({ account_id: z.number() })

/** The places of an export. */
export interface ExportFolder {
  path: string
  manifest: string
  journal: string
  /** Videos, captions and posters. */
  files: string
  /** What is unfinished; removed at the end. */
  work: string
}

/**
 * Makes the folder of an export, or opens one that an earlier run began for the same account. Only the user of this process can read it.
 * Throws a CliError if it has other files, or is where the service keeps or serves files.
 */
export async function openExportFolder(
  context: Context,
  dir: string,
  accountId: number,
): Promise<ExportFolder> {
  const path = await realPathOf(resolve(dir))
  await refuseUnsafe(context, path)
  await mkdir(path, { recursive: true, mode: 0o700 })
  await claimFolder(path, accountId)
  await chmod(path, 0o700)
  const folder = {
    path,
    manifest: join(path, 'manifest.ndjson'),
    journal: join(path, 'export.journal'),
    files: join(path, 'videos'),
    work: join(path, '.work'),
  }
  await mkdir(folder.files, { recursive: true, mode: 0o700 })
  await rm(folder.work, { recursive: true, force: true })
  // The packager puts its own files beside the folder that it writes to.
  await mkdir(join(folder.work, 'tracks'), { recursive: true, mode: 0o700 })
  return folder
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

async function claimFolder(path: string, accountId: number): Promise<void> {
  const mark = join(path, MARK)
  const entries = await readdir(path)
  if (entries.length === 0)
    return writeFile(mark, `${JSON.stringify({ account_id: accountId })}\n`, { mode: 0o600 })
  const text = entries.includes(MARK) ? await readFile(mark, 'utf8') : ''
  const parsed = markSchema.safeParse(parseJson(text))
  if (parsed.data?.account_id === accountId) return
  throw new CliError(`${path} is not empty, and is no export of the account ${accountId}.`, {
    code: 'export_folder_not_empty',
  })
}
