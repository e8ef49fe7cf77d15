import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir } from './environment.mjs'
import { withLock } from './lock.mjs'
import { SetupError, withProgress } from './report.mjs'

/**
 * Returns the folder `name` of the cache; `build(temporaryFolder)` creates it if it is missing. A
 * rename at the end makes it appear complete, even after a killed build. Concurrent bootstraps build
 * it once: the others wait.
 */
export async function installOnce(name, title, build) {
  const target = join(cacheDir(), name)
  if (existsSync(target)) return target
  prepareCache()
  const isBuilt = () => existsSync(target)
  await withLock(`${target}.lock`, title, isBuilt, () =>
    withProgress(title, () => buildInto(target, name, build)),
  )
  return target
}

function prepareCache() {
  const probe = join(cacheDir(), `.write-test-${process.pid}`)
  try {
    mkdirSync(cacheDir(), { recursive: true })
    writeFileSync(probe, 'probe')
    rmSync(probe)
  } catch (error) {
    throw new SetupError(
      `The cache ${cacheDir()} cannot be written (${error.message}).\n` +
        'Make it writable, free some space on its disk, or choose another folder with REELGATE_CACHE_DIR.',
    )
  }
}

async function buildInto(target, name, build) {
  for (const entry of readdirSync(cacheDir())) {
    if (entry.startsWith(`${name}.tmp-`)) rmSync(join(cacheDir(), entry), { recursive: true })
  }
  const temporary = `${target}.tmp-${process.pid}`
  mkdirSync(temporary)
  try {
    await build(temporary)
    renameSync(temporary, target)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
