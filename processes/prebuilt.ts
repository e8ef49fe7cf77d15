import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

type PrebuiltName = 'dashboard-app' | 'player-assets'

/**
 * Returns what was built into `folder` (PREBUILT_DIR) under this name, or makes it now and keeps it there if the folder
 * exists. `make` returns data that `structuredClone` can copy.
 */
export async function prebuilt<T>(
  folder: string,
  name: PrebuiltName,
  make: () => Promise<T>,
): Promise<T> {
  const bytes = await readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (bytes !== null) return deserialize(bytes) as T
  const made = await make()
  await keepBuilt(folder, name, serialize(made))
  return made
}

/** Stores what was built if the folder exists. If that fails, the next start builds it again. */
export async function keepBuilt(
  folder: string,
  name: string,
  content: string | Buffer,
): Promise<void> {
  if (existsSync(folder)) await writeWhole(folder, name, content).catch(() => {})
}

/** Stores a value for `prebuilt`; resolves to its path. */
export const writePrebuilt = (
  folder: string,
  name: PrebuiltName,
  value: unknown,
): Promise<string> => writeWhole(folder, name, serialize(value))

/** Writes a file that no process can read before it is complete; resolves to its path. */
export async function writeWhole(
  folder: string,
  name: string,
  content: string | Buffer,
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, name)
  const making = `${path}.${randomUUID()}`
  // On the disk before it has its name: a file that lost its end in a power failure would be read at every start.
  await writeFile(making, content, { flush: true })
  await rename(making, path)
  return path
}
