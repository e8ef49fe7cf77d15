import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readSystemError } from '../../processes/system-error.ts'
import { CliError } from '../errors.ts'
import { damaged } from './errors.ts'
import { digestFile } from './hash.ts'
import { readManifest, type Manifest } from './manifest.ts'
import { flushFolder, openPool, type ObjectPool } from './object-pool.ts'

const OBJECT_LIST = 'objects.jsonl'

/** A folder with backups, which share the contents of their objects. */
export interface BackupFolder {
  pool: ObjectPool
  /** The names of the complete backups, the oldest first. */
  complete(): Promise<string[]>
  /** The folders of backups that were interrupted. */
  unfinished(): Promise<string[]>
  /** The folder of a complete backup. */
  toPath(name: string): string
  /** Creates the folder of a backup that begins. */
  begin(name: string): Promise<string>
  /** Makes a backup complete, with its manifest, in one step. */
  finish(name: string, manifest: string): Promise<void>
  /** Removes a backup. After a kill in between it counts as interrupted. */
  remove(name: string): Promise<void>
}

/** The paths in the folder of one backup. */
export const manifestOf = (path: string): string => join(path, 'manifest.json')
export const objectListOf = (path: string): string => join(path, OBJECT_LIST)
export const firstListOf = (path: string): string => join(path, 'objects-before-the-database.jsonl')
export const tableFileOf = (path: string, table: string): string =>
  join(path, 'database', `${table}.copy.gz`)

/** Opens a folder of backups. Nothing is created yet. */
export function openBackupFolder(dir: string): BackupFolder {
  const [completeDir, unfinishedDir] = [join(dir, 'backups'), join(dir, 'unfinished')]
  const toPath = (name: string) => join(completeDir, name)
  return {
    pool: openPool(join(dir, 'objects')),
    toPath,
    complete: async () => (await list(completeDir)).toSorted(),
    unfinished: async () =>
      (await list(unfinishedDir)).toSorted().map((name) => join(unfinishedDir, name)),
    async begin(name) {
      const path = join(unfinishedDir, name)
      for (const folder of [completeDir, join(dir, 'objects'), join(path, 'database')])
        await mkdir(folder, { recursive: true, mode: 0o700 })
      return path
    },
    async finish(name, manifest) {
      const path = join(unfinishedDir, name)
      await rm(firstListOf(path), { force: true })
      await writeFile(manifestOf(path), manifest, { mode: 0o600, flush: true })
      for (const folder of [join(path, 'database'), path]) await flushFolder(folder)
      await rename(path, toPath(name))
      for (const folder of [completeDir, unfinishedDir]) await flushFolder(folder)
    },
    async remove(name) {
      const path = join(unfinishedDir, name)
      await rename(toPath(name), path)
      await rm(path, { recursive: true, force: true })
    },
  }
}

async function list(path: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    if (readSystemError(error).code === 'ENOENT') return []
    throw error
  }
}

/** A complete backup that is restored. */
export interface OpenedBackup {
  path: string
  pool: ObjectPool
  manifest: Manifest
}

/**
 * Opens a backup by its name, the newest by default, and verifies every file but the objects. Throws a CliError if
 * there is none, or if a file is missing or was altered.
 */
export async function openBackup(dir: string, name?: string): Promise<OpenedBackup> {
  const folder = openBackupFolder(resolve(dir))
  const names = await folder.complete()
  const chosen = name ?? names.at(-1)
  if (chosen === undefined || !names.includes(chosen)) throw noBackup(dir, name, names)
  const path = folder.toPath(chosen)
  const manifest = await readManifest(manifestOf(path))
  await verifyFile(objectListOf(path), manifest.objects.list)
  for (const table of manifest.tables) await verifyFile(tableFileOf(path, table.name), table.file)
  return { path, pool: folder.pool, manifest }
}

function noBackup(dir: string, name: string | undefined, names: string[]): CliError {
  const found = names.length === 0 ? 'no complete backup' : names.join(', ')
  return new CliError(
    name === undefined
      ? `There is no complete backup in ${dir}.`
      : `There is no complete backup ${name} in ${dir}, but: ${found}.`,
    { code: 'backup_not_found' },
  )
}

/** Throws a CliError that names the file unless it is what the manifest says. */
export async function verifyFile(path: string, expected: { bytes: number; sha256: string }) {
  const size = await stat(path).then(
    (facts) => facts.size,
    () => null,
  )
  if (size === null) throw damaged(path, 'is missing')
  if (size !== expected.bytes || (await digestFile(path)).sha256 !== expected.sha256)
    throw damaged(path, 'does not have its checksum')
}
