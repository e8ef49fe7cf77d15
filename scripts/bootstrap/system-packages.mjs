import { setImmediate } from 'node:timers/promises'
import { findInSbin, findProgram, runCommand } from './commands.mjs'
import { isRoot } from './environment.mjs'
import { installOnce } from './install-once.mjs'
import { SetupError, withProgress } from './report.mjs'

const MANAGERS = [
  {
    program: 'apt-get',
    update: ['update', '-q'],
    install: (names) => ['install', '-q', '-y', '--no-install-recommends', ...names],
  },
  { program: 'apk', install: (names) => ['add', '--no-cache', ...names] },
  { program: 'dnf', install: (names) => ['install', '-y', ...names] },
]

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** Debian's Chromium without windows, whose contexts need an eighth of the processor time. */
const HEADLESS_SHELL = 'chromium-headless-shell'

/** Installs ffmpeg and ffprobe unless they are on the PATH. */
export async function ensureFfmpeg() {
  const isThere = () => findProgram('ffmpeg') && findProgram('ffprobe')
  await ensurePackage({ name: 'ffmpeg', isThere, brew: 'ffmpeg' })
}

/** Installs curl, which the tests run as integrators do, unless it is on the PATH. */
export async function ensureCurl() {
  await ensurePackage({ name: 'curl', isThere: () => findProgram('curl'), brew: 'curl' })
}

/** Returns the path of a Chromium for the browser tests and benchmarks. */
export async function ensureChromium() {
  const isThere = () => findProgram(...CHROMIUM_NAMES)
  await ensurePackage({ name: 'chromium', isThere, brew: '--cask chromium' })
  return findProgram(...CHROMIUM_NAMES)
}

/** Returns the path of Chromium's headless shell if it is installed, otherwise that of a Chromium. */
export async function ensureHeadlessChromium() {
  return findProgram(HEADLESS_SHELL) ?? (await ensureChromium())
}

/** Tries once to install Chromium's headless shell. The tests also pass without it, but take longer. */
export async function tryHeadlessShell() {
  const apt = MANAGERS.find(({ program }) => program === 'apt-get')
  if (findProgram(HEADLESS_SHELL) || !findProgram(apt.program) || !isRoot()) return
  const title = `a try to install ${HEADLESS_SHELL} (with ${apt.program}, once)`
  await installOnce(HEADLESS_SHELL, title, () =>
    // Distributions other than Debian may not have it.
    afterTheOthers(() => installNow(apt, [HEADLESS_SHELL])).catch(() => {}),
  )
}

/** Installs Apache Maven with a Java to run it, unless `mvn` is on the PATH. */
export async function ensureMaven() {
  await ensurePackage({ name: 'maven', isThere: () => findProgram('mvn'), brew: 'maven' })
}

/** Returns the path of nginx, which a benchmark of the player and `npm run verify:uploads` use. */
export async function ensureNginx() {
  const find = () => findProgram('nginx') ?? findInSbin('nginx')
  await ensurePackage({ name: 'nginx', isThere: find, brew: 'nginx' })
  return find()
}

/** Returns the path of Caddy, through which `npm run verify:uploads` sends files. */
export async function ensureCaddy() {
  const find = () => findProgram('caddy')
  await ensurePackage({ name: 'caddy', isThere: find, brew: 'caddy' })
  return find()
}

/** Returns the path of PgBouncer, through which tests and a benchmark reach PostgreSQL. */
export async function ensurePgbouncer() {
  const find = () => findProgram('pgbouncer') ?? findInSbin('pgbouncer')
  await ensurePackage({ name: 'pgbouncer', isThere: find, brew: 'pgbouncer' })
  return find()
}

/** Returns the path of dockerd, the engine that `npm run verify:compose` starts for itself. */
export async function ensureDockerEngine() {
  const find = () => findProgram('dockerd') ?? findInSbin('dockerd')
  await ensurePackage({ name: 'docker.io', isThere: find, brew: '--cask docker' })
  return find()
}

/** Returns the path of debootstrap, which makes a Debian without an image registry. */
export async function ensureDebootstrap() {
  const find = () => findProgram('debootstrap') ?? findInSbin('debootstrap')
  await ensurePackage({ name: 'debootstrap', isThere: find, brew: 'debootstrap' })
  return find()
}

let last = Promise.resolve()

/** Runs one installation at a time, because a package manager fails if another one holds its lock. */
function afterTheOthers(install) {
  const mine = last.then(install)
  last = mine.catch(() => {})
  return mine
}

let updated = null

async function installNow(manager, names) {
  const run = (args) =>
    runCommand(manager.program, args, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
  if (manager.update) await (updated ??= run(manager.update))
  await run(manager.install(names))
}

let waiting = []
let nextBatch = null

/** Installs a package together with all others that are missing at this time. */
async function ensurePackage(wanted) {
  if (wanted.isThere()) return
  waiting.push(wanted)
  nextBatch ??= afterTheOthers(installWaiting)
  await nextBatch
}

async function installWaiting() {
  // The parts of a bootstrap begin in the same turn of the event loop.
  await setImmediate()
  const missing = waiting.filter(({ isThere }) => !isThere())
  waiting = []
  nextBatch = null
  if (missing.length === 0) return
  const manager = MANAGERS.find(({ program }) => findProgram(program))
  const names = [...new Set(missing.map(({ name }) => name))]
  if (!manager || !isRoot()) throw new SetupError(adviceFor(missing, names, manager))
  await withProgress(`${names.join(', ')} (with ${manager.program}, once)`, () =>
    installNow(manager, names),
  )
  const absent = missing.filter(({ isThere }) => !isThere()).map(({ name }) => name)
  if (absent.length > 0)
    throw new SetupError(`${manager.program} did not install ${absent.join(' and ')}`)
}

function adviceFor(missing, names, manager) {
  const needed = `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} needed`
  const them = names.length === 1 ? 'it' : 'them'
  if (manager) {
    const commands = [manager.update, manager.install(names)].filter(Boolean)
    const line = commands.map((args) => ['sudo', manager.program, ...args].join(' ')).join(' && ')
    return `${needed} and only root can install ${them}. Run: ${line}`
  }
  const how =
    process.platform === 'darwin'
      ? `Run: ${missing.map(({ brew }) => `brew install ${brew}`).join(' && ')}`
      : `Install ${them} with the package manager of this system`
  return `${needed}. ${how}, then run this again.`
}
