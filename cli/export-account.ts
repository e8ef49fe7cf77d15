import { mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { atOneMoment, readRowsOf } from '../db/accounts/account-export.ts'
import { ACCOUNT_TABLES } from '../db/accounts/account-tables.ts'
import type { EntityManager } from '../db/database.ts'
import { mediaPrefix, sourcePrefix } from '../domain/videos/media-paths.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { CliError } from './errors.ts'

/** What an export contains; it is `export.json` in its folder, written last. */
interface AccountExport {
  account_id: number
  exported_at: string
  /** The number of rows in each file, by table. */
  rows: Record<string, number>
  /** Columns that are left out, by table. */
  withheld: Record<string, readonly string[]>
  /** The number of objects in `objects.jsonl`; null if they are not listed. */
  objects: number | null
}

interface ExportTarget {
  accountId: number
  /** Must be empty, or not exist. */
  dir: string
  /** Where to list the objects of videos; null lists none. */
  storage: Pick<ObjectStorage, 'list'> | null
}

/**
 * Writes everything that the database knows of an account to a new folder, a file of JSON lines for each table, without
 * secrets. Only the user of this process can read it. Throws a CliError if the folder has files.
 */
export async function exportAccount(
  em: EntityManager,
  { accountId, dir, storage }: ExportTarget,
): Promise<AccountExport> {
  await makeFolder(dir)
  const rows: AccountExport['rows'] = {}
  const videos: string[] = []
  await atOneMoment(em, async (tx) => {
    for (const table of ACCOUNT_TABLES) {
      if (table.exported.length === 0) continue
      const pages = readRowsOf(tx, accountId, table)
      const noted = table.name === 'video' ? notingIds(pages, videos) : pages
      rows[table.name] = await writeLines(join(dir, `${table.name}.jsonl`), noted)
    }
  })
  const objects = storage && (await writeLines(join(dir, 'objects.jsonl'), listed(storage, videos)))
  const withheld = Object.fromEntries(
    ACCOUNT_TABLES.filter((table) => table.withheld.length > 0).map((table) => [
      table.name,
      table.withheld,
    ]),
  )
  const record = {
    account_id: accountId,
    exported_at: new Date().toISOString(),
    rows,
    withheld,
    objects,
  }
  await writeFile(join(dir, 'export.json'), `${JSON.stringify(record, null, 2)}\n`, {
    flag: 'wx',
    mode: 0o600,
  })
  return record
}

async function makeFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  if ((await readdir(dir)).length > 0)
    throw new CliError(`${resolve(dir)} is not empty.`, { code: 'export_folder_not_empty' })
}

async function writeLines(path: string, pages: AsyncIterable<string[]>): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  try {
    let count = 0
    for await (const lines of pages) {
      await file.appendFile(lines.map((line) => `${line}\n`).join(''))
      count += lines.length
    }
    await file.sync()
    return count
  } finally {
    await file.close()
  }
}

const rowSchema = z.object({ id: z.coerce.string() })

async function* notingIds(pages: AsyncIterable<string[]>, ids: string[]) {
  for await (const lines of pages) {
    for (const line of lines) ids.push(rowSchema.parse(JSON.parse(line)).id)
    yield lines
  }
}

/** The objects of videos: key and size. A page for each video. */
async function* listed(
  storage: Pick<ObjectStorage, 'list'>,
  videos: string[],
): AsyncGenerator<string[]> {
  for (const id of videos)
    for (const prefix of [mediaPrefix(id), sourcePrefix(id)]) {
      const lines: string[] = []
      for await (const { key, sizeBytes } of storage.list(prefix))
        lines.push(JSON.stringify({ key, size_bytes: sizeBytes }))
      yield lines
    }
}
