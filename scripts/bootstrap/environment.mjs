// The only file of the bootstrap that reads the environment. Runs on Node 18 without installed packages.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository, with a trailing separator. */
export const projectDir = fileURLToPath(new URL('../..', import.meta.url))

/** The pinned Node from the npm dependency `node`. */
export const pinnedNode = join(projectDir, 'node_modules', 'node', 'bin', 'node')

/** Node's compile cache, shared by all processes that the bootstrap starts. */
export const compileCacheDir = join(projectDir, '.cache', 'compiled')

/** Scripts for browsers and workflows that `npm start` and the tests have bundled, by the state of the sources. */
export const bundlesDir = join(projectDir, '.cache', 'bundles')

/**
 * Returns the folder of built and downloaded programs. All clones of the project share it, unless the
 * user has no folder for caches that can be written: then it is inside the clone.
 */
export function cacheDir() {
  const chosen = process.env.REELGATE_CACHE_DIR
  if (chosen) return resolve(chosen)
  const shared = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'reelgate')
  return canWrite(shared) ? shared : join(projectDir, '.cache', 'reelgate')
}

/**
 * Returns variables that move the cache of npm out of a home folder that cannot be written. `npm run` passes the place
 * of the cache to its scripts, also when it is that of the home folder.
 */
export function npmCacheVariables() {
  const current = process.env.npm_config_cache || join(homedir(), '.npm')
  return canWrite(current) ? {} : { npm_config_cache: join(cacheDir(), 'npm') }
}

/** Returns Maven's argument for the same. */
export function mavenCacheArguments() {
  if (canWrite(join(homedir(), '.m2'))) return []
  return [`-Dmaven.repo.local=${join(cacheDir(), 'maven')}`]
}

/** Whether the process can write to the folder, or make it. */
function canWrite(folder) {
  if (!existsSync(folder)) return dirname(folder) !== folder && canWrite(dirname(folder))
  try {
    accessSync(folder, constants.W_OK)
    return statSync(folder).isDirectory()
  } catch {
    return false
  }
}

/** Returns the folders of the PATH in order. */
export function searchPath() {
  return (process.env.PATH || '').split(':').filter(Boolean)
}

/** Returns the environment for child processes. */
export function inheritedEnvironment() {
  return { ...process.env }
}

/** Whether the environment asks for output without escape sequences, or is that of a CI. */
export function wantsPlainOutput() {
  const { CI, NO_COLOR, TERM } = process.env
  return Boolean(CI || NO_COLOR || TERM === 'dumb')
}

/** Whether a proxy is set for HTTP requests of either scheme. */
export function hasProxy() {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
  return names.some((name) => process.env[name])
}

/** Whether Node's `fetch` uses the proxy because it was started so. */
export function isProxyInForce() {
  const flag = '--use-env-proxy'
  if (!process.allowedNodeEnvironmentFlags.has(flag)) return false
  const { NODE_USE_ENV_PROXY, NODE_OPTIONS = '' } = process.env
  return (
    NODE_USE_ENV_PROXY === '1' ||
    [...process.execArgv, NODE_OPTIONS].some((options) => options.includes(flag))
  )
}

/** Whether the process may install system packages. */
export function isRoot() {
  return process.getuid?.() === 0
}

/** Returns the URL of the services of this test run, set by `test/infrastructure/global-setup.ts`. */
export function testServicesUrl() {
  return process.env.REELGATE_TEST_SERVICES_URL
}

/** Passes the services of this test run to its workers, and what they bundle to all processes. */
export function passTestServices({ url, prebuiltDir }) {
  process.env.REELGATE_TEST_SERVICES_URL = url
  process.env.PREBUILT_DIR = prebuiltDir
}
