import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Named by the version of the server: a release with an older one must not open it. */
const STORE = 'temporal-1.32.0.db'
/** Written by the server 1.32.1 of earlier releases, whose tables and records 1.32.0 reads too. */
const FORMER_STORE = 'temporal-1.32.db'
/** Written by the server 1.29. The sweep starts again what was running in it. */
const UNREADABLE_STORE = 'temporal.db'

/** Returns the path of the SQLite file in `folder`, to which it renames the one of an earlier release. */
export function takeStore(folder: string): string {
  for (const suffix of ['', '-shm', '-wal'])
    rmSync(join(folder, UNREADABLE_STORE + suffix), { force: true })
  const [store, former] = [join(folder, STORE), join(folder, FORMER_STORE)]
  if (!existsSync(store) && existsSync(former)) rename(former, store)
  return store
}

/** The file itself comes last: a start that was killed in between is repeated, and no write is lost with its log. */
function rename(from: string, to: string): void {
  for (const suffix of ['-wal', '-shm', ''])
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix)
}
