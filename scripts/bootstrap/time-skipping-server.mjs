import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findProgram, runCommand } from './commands.mjs'
import { sha256OfFile } from './download.mjs'
import { mavenCacheArguments } from './environment.mjs'
import { installOnce } from './install-once.mjs'
import { SetupError } from './report.mjs'
import { ensureMaven } from './system-packages.mjs'

const VERSION = '1.38.0'
const OLDEST_JAVA = 11

/**
 * Returns the path of a program that starts Temporal's time-skipping test server. Maven fetches its
 * jars; each is checked against the SHA-256 in `time-skipping-jars.json`.
 */
export async function ensureTimeSkippingServer() {
  const name = `temporal-test-server-${VERSION}`
  const title = 'Time-skipping Temporal test server (with Maven, once)'
  const folder = await installOnce(name, title, install)
  return join(folder, 'temporal-test-server')
}

async function install(into) {
  await ensureMaven()
  await checkJava()
  const lib = join(into, 'lib')
  mkdirSync(lib)
  await fetchJars(into, lib)
  // The SDK can only pass a port to the server, so the server needs a wrapper program.
  const wrapper = join(into, 'temporal-test-server')
  writeFileSync(
    wrapper,
    '#!/bin/sh\nexec java -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"\n',
  )
  chmodSync(wrapper, 0o755)
}

async function checkJava() {
  const java = findProgram('java')
  const version = java ? await runCommand(java, ['-version']).catch(() => '') : ''
  // Java 8 and older call themselves 1.8 and so on.
  const major = Number(/version "(\d+)/.exec(version)?.[1] ?? 0)
  if (major < OLDEST_JAVA)
    throw new SetupError(
      `Java ${OLDEST_JAVA} or later is needed for the workflow tests: install a JRE`,
    )
}

function pinnedJars() {
  const list = readFileSync(new URL('./time-skipping-jars.json', import.meta.url), 'utf8')
  return Object.entries(JSON.parse(list))
}

// Maven uses the repositories, mirrors and proxies in the machine's settings.
async function fetchJars(into, lib) {
  const pom = join(into, 'pom.xml')
  writeFileSync(pom, pomText())
  const goal = 'dependency:copy-dependencies'
  const settings = ['-DincludeScope=runtime', `-DoutputDirectory=${lib}`, ...mavenCacheArguments()]
  const args = ['-q', '-B', '-f', pom, goal, ...settings]
  await runCommand('mvn', args, { timeoutMs: 10 * 60_000 })
  rmSync(pom)
  for (const [path, sha256] of pinnedJars()) {
    const jar = join(lib, basename(path))
    if (!existsSync(jar) || sha256OfFile(jar) !== sha256)
      throw new SetupError(`Maven did not fetch ${basename(jar)} with the SHA-256 ${sha256}`)
  }
}

function pomText() {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>reelgate</groupId><artifactId>time-skipping-server</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version>
  </dependency></dependencies>
</project>
`
}
