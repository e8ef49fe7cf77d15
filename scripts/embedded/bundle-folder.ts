import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { bundlesDir, projectDir } from '../bootstrap/tools.mjs'

/** Folders of the repository that reach no bundle, and those that its user makes. */
const OTHER_FOLDERS = new Set(['bench', 'docs', 'drm-files', 'node_modules', 'prebuilt', 'test'])
const SOURCE = /(?<!\.test)\.(?:css|html|js|json|mjs|svg|ts|tsx)$/
/** Folders of other states of the sources that stay, for a checkout that changes between them. */
const OTHERS_KEPT = 4

/**
 * Returns a folder for what is bundled from exactly these sources and packages, as PREBUILT_DIR of processes: what one
 * start bundles, the next one takes. Removes the folders of older states. Returns undefined if it cannot be written.
 */
export async function bundleFolder(
  { sources, folder } = { sources: projectDir, folder: bundlesDir },
): Promise<string | undefined> {
  const path = join(folder, await fingerprint(sources))
  try {
    await mkdir(path, { recursive: true })
    await utimes(path, new Date(), new Date())
    await removeOldest(folder)
    return path
  } catch {
    return undefined
  }
}

/** Returns a hash of the names and contents of all source files, and of the Node that runs. */
async function fingerprint(root: string): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  for (const path of await sourceFiles(root)) {
    const content = createHash('sha256').update(await readFile(path))
    hash.update(`${relative(root, path)}\0${content.digest('hex')}\n`)
  }
  return hash.digest('hex').slice(0, 32)
}

async function sourceFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true })
  const folders = entries.filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !OTHER_FOLDERS.has(entry.name),
  )
  const inside = await Promise.all(
    folders.map(({ name }) => readdir(join(root, name), { recursive: true, withFileTypes: true })),
  )
  return [...entries, ...inside.flat()]
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
}

async function removeOldest(folder: string): Promise<void> {
  const names = await readdir(folder)
  const found = await Promise.all(
    names.map(async (name) => ({ name, usedAtMs: (await stat(join(folder, name))).mtimeMs })),
  )
  const oldest = found.toSorted((a, b) => b.usedAtMs - a.usedAtMs).slice(OTHERS_KEPT + 1)
  await Promise.all(
    oldest.map(({ name }) => rm(join(folder, name), { recursive: true, force: true })),
  )
}
