import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
  const name = `temporal-test-server-${VERSION}-archived`
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
  const options = [...QUICK_START, ...(await archiveClasses(into))]
  // The SDK can only pass a port to the server, so the server needs a wrapper program. An archive of classes is valid for
  // the same class path only, so the path is relative.
  const wrapper = join(into, 'temporal-test-server')
  const command = ['java', ...options, ...SERVER].map((word) => `'${word}'`).join(' ')
  writeFileSync(wrapper, `#!/bin/sh\ncd "$(dirname "$0")" && exec ${command} "$@"\n`)
  chmodSync(wrapper, 0o755)
}

const SERVER = ['-cp', 'lib/*', 'io.temporal.testserver.TestServer']
/** A server lives for one test file: the start of the optimizing compiler and of the parallel collector does not pay for itself. */
const QUICK_START = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
const ARCHIVE = 'classes.jsa'
const ARCHIVED_WITHIN_MS = 60_000

/**
 * Lets Java keep the loaded classes of a started server in an archive: it then starts with a quarter of the processor
 * time, within the five seconds of the SDK also on a busy machine. Returns the option that uses the archive, or none
 * if this Java cannot make one (before version 13).
 */
async function archiveClasses(into) {
  const options = [...QUICK_START, `-XX:ArchiveClassesAtExit=${ARCHIVE}`, ...SERVER]
  const port = await freePort()
  const server = spawn('java', [...options, String(port)], { cwd: into, stdio: 'ignore' })
  const ended = once(server, 'exit').catch(() => undefined)
  const endsAtMs = Date.now() + ARCHIVED_WITHIN_MS
  while (server.exitCode === null && Date.now() < endsAtMs && !(await listens(port)))
    await sleep(50)
  server.kill()
  await ended
  return existsSync(join(into, ARCHIVE)) ? [`-XX:SharedArchiveFile=${ARCHIVE}`] : []
}

// Like that of scripts/embedded, whose TypeScript the Node of a first start may not load.
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

const listens = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

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
