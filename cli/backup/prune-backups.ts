import { manifestOf, objectListOf, verifyFile, type BackupFolder } from './backup-folder.ts'
import { readManifest } from './manifest.ts'
import { readList } from './object-list.ts'

/**
 * Removes all backups but the newest `keep`, and the contents that no other one has. Resolves to their names.
 * Safe to be killed at any line: first the backups go, then what none has. Throws a CliError, and removes nothing, if
 * the list of a backup that stays was altered.
 */
export async function pruneBackups(folder: BackupFolder, keep: number | null): Promise<string[]> {
  if (keep === null) return []
  const names = await folder.complete()
  const [old, kept] = [names.slice(0, -keep), names.slice(-keep)]
  const used = new Set<number>()
  for (const name of kept) await addContents(used, folder.toPath(name))
  for (const name of old) await folder.remove(name)
  await folder.pool.prune((sha256) => used.has(shortened(sha256)))
  return old
}

async function addContents(used: Set<number>, path: string): Promise<void> {
  const { objects } = await readManifest(manifestOf(path))
  await verifyFile(objectListOf(path), objects.list)
  for await (const video of readList(objectListOf(path)))
    for (const { sha256 } of video.objects) used.add(shortened(sha256))
}

/** 48 bits as a number, because there may be millions. If two are the same, a content stays for too long. */
const shortened = (sha256: string): number => Number.parseInt(sha256.slice(0, 12), 16)
