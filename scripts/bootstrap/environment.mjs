// The one place of the bootstrap that reads the environment. Runs on Node 20 with no package installed.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository, with a trailing separator. */
export const projectDir = fileURLToPath(new URL('../..', import.meta.url))

/** The pinned Node, which the npm dependency `node` brings. */
export const pinnedNode = join(projectDir, 'node_modules', 'node', 'bin', 'node')

/** Where Node keeps the code that it has compiled, for all processes that start from here. */
export const compileCacheDir = join(projectDir, '.cache', 'compiled')

/** Where built and downloaded programs are kept, shared by every clone of the project. */
export function cacheDir() {
  const chosen = process.env.REELGATE_CACHE_DIR
  if (chosen) return resolve(chosen)
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'reelgate')
}

/** Base address of the Maven repository that the time-skipping test server comes from. */
export function mavenRepository() {
  return process.env.REELGATE_MAVEN_REPOSITORY || 'https://repo.maven.apache.org/maven2'
}

/** The folders that are searched for programs, in order. */
export function searchPath() {
  return (process.env.PATH || '').split(':').filter(Boolean)
}

/** The environment that a process started by this one inherits. */
export function inheritedEnvironment() {
  return { ...process.env }
}

/** Whether the process may install system packages. */
export function isRoot() {
  return process.getuid?.() === 0
}

/** Address of the test services of this Jest run, set by `test/infrastructure/global-setup.ts`. */
export function testServicesUrl() {
  return process.env.REELGATE_TEST_SERVICES_URL
}

/** Tells the workers of this Jest run where its services are. */
export function setTestServicesUrl(url) {
  process.env.REELGATE_TEST_SERVICES_URL = url
}
