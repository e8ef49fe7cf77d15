import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findProgram, runCommand } from './commands.mjs'
import { download, sha256OfFile } from './download.mjs'
import { mavenRepository } from './environment.mjs'
import { installOnce } from './install-once.mjs'
import { say, SetupError } from './report.mjs'

const VERSION = '1.38.0'
const PARALLEL_DOWNLOADS = 6

/**
 * Returns the path of a program that starts Temporal's time-skipping test server. The server consists
 * of jars from Maven Central, each checked against the SHA-256 in `time-skipping-jars.json`.
 */
export async function ensureTimeSkippingServer() {
  const title = 'Time-skipping Temporal test server (from Maven Central, once)'
  const folder = await installOnce(`temporal-test-server-${VERSION}`, title, install)
  return join(folder, 'temporal-test-server')
}

async function install(into) {
  const java = findProgram('java')
  if (!java)
    throw new SetupError('Java 11 or later is needed for the workflow tests: install a JRE')
  const lib = join(into, 'lib')
  mkdirSync(lib)
  if (!(await copyWithMaven(into, lib))) await downloadJars(lib)
  // The SDK can only pass a port to the server, so the server needs a wrapper program.
  const wrapper = join(into, 'temporal-test-server')
  writeFileSync(
    wrapper,
    '#!/bin/sh\nexec java -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"\n',
  )
  chmodSync(wrapper, 0o755)
}

function pinnedJars() {
  const list = readFileSync(new URL('./time-skipping-jars.json', import.meta.url), 'utf8')
  return Object.entries(JSON.parse(list))
}

// Maven uses the mirrors in the machine's settings.
async function copyWithMaven(into, lib) {
  const mvn = findProgram('mvn')
  if (!mvn) return false
  const pom = join(into, 'pom.xml')
  writeFileSync(pom, pomText())
  const goal = 'dependency:copy-dependencies'
  try {
    const args = ['-q', '-B', '-f', pom, goal, '-DincludeScope=runtime', `-DoutputDirectory=${lib}`]
    await runCommand(mvn, args, { timeoutMs: 5 * 60_000 })
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    say('  Maven could not fetch the test server: downloading it directly')
    return false
  } finally {
    rmSync(pom, { force: true })
  }
  return pinnedJars().every(([path, sha256]) => {
    const jar = join(lib, basename(path))
    return existsSync(jar) && sha256OfFile(jar) === sha256
  })
}

async function downloadJars(lib) {
  rmSync(lib, { recursive: true, force: true })
  mkdirSync(lib)
  const waiting = pinnedJars()
  const next = async () => {
    for (let jar = waiting.pop(); jar; jar = waiting.pop()) {
      const [path, sha256] = jar
      await download(`${mavenRepository()}/${path}`, join(lib, basename(path)), { sha256 })
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_DOWNLOADS }, next))
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
