import { findInSbin, findProgram, runCommand } from './commands.mjs'
import { isRoot } from './environment.mjs'
import { installOnce } from './install-once.mjs'
import { SetupError, withProgress } from './report.mjs'

const MANAGERS = [
  {
    program: 'apt-get',
    steps: (name) => [
      ['update', '-q'],
      ['install', '-q', '-y', '--no-install-recommends', name],
    ],
  },
  { program: 'apk', steps: (name) => [['add', '--no-cache', name]] },
  { program: 'dnf', steps: (name) => [['install', '-y', name]] },
]

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** Debian's Chromium without windows, whose contexts need an eighth of the processor time. */
const HEADLESS_SHELL = 'chromium-headless-shell'

/** Installs ffmpeg and ffprobe unless they are on the PATH. */
export async function ensureFfmpeg() {
  const isThere = () => findProgram('ffmpeg') && findProgram('ffprobe')
  await ensurePackage({ name: 'ffmpeg', isThere, brew: 'ffmpeg' })
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
    afterTheOthers(() => runSteps(apt, HEADLESS_SHELL)).catch(() => {}),
  )
}

/** Returns the path of nginx, which a player benchmark compares with. */
export async function ensureNginx() {
  const find = () => findProgram('nginx') ?? findInSbin('nginx')
  await ensurePackage({ name: 'nginx', isThere: find, brew: 'nginx' })
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

async function runSteps(manager, name) {
  for (const args of manager.steps(name))
    await runCommand(manager.program, args, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
}

async function ensurePackage({ name, isThere, brew }) {
  if (isThere()) return
  const manager = MANAGERS.find(({ program }) => findProgram(program))
  if (!manager) {
    const how =
      process.platform === 'darwin'
        ? `Run: brew install ${brew}`
        : 'Install it with the package manager of this system'
    throw new SetupError(`${name} is needed. ${how}, then run this again.`)
  }
  if (!isRoot()) {
    const commands = manager.steps(name).map((args) => ['sudo', manager.program, ...args])
    const line = commands.map((words) => words.join(' ')).join(' && ')
    throw new SetupError(`${name} is needed and only root can install it. Run: ${line}`)
  }
  await withProgress(`${name} (with ${manager.program}, once)`, async () => {
    await afterTheOthers(() => runSteps(manager, name))
  })
  if (!isThere()) throw new SetupError(`${manager.program} did not install ${name}`)
}
