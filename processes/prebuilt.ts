import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

type PrebuiltName = 'dashboard-app' | 'player-assets'

/**
 * Returns what was built into `folder` (PREBUILT_DIR) under this name, or makes it now. `make` returns data that
 * `structuredClone` can copy.
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
  return bytes === null ? make() : (deserialize(bytes) as T)
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
  await writeFile(`${path}.making`, content)
  await rename(`${path}.making`, path)
  return path
}
