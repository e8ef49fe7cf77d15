import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'

/** Only the container image has this folder: there the code cannot change. */
const FOLDER = new URL('../prebuilt/', import.meta.url)

type PrebuiltName = 'dashboard-app' | 'player-assets'

/**
 * Returns what was built into the container image under this name, or makes it now. `make` returns data that
 * `structuredClone` can copy.
 */
export async function prebuilt<T>(name: PrebuiltName, make: () => Promise<T>): Promise<T> {
  const bytes = await readFile(new URL(name, FOLDER)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return bytes === null ? make() : (deserialize(bytes) as T)
}

/** Stores a value for `prebuilt`. */
export async function writePrebuilt(name: PrebuiltName, value: unknown): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(new URL(name, FOLDER), serialize(value))
}
