import { findInSbin, findProgram, runCommand } from './commands.mjs'
import { isRoot } from './environment.mjs'
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

/** Returns the path of nginx, which a player benchmark compares with. */
export async function ensureNginx() {
  const find = () => findProgram('nginx') ?? findInSbin('nginx')
  await ensurePackage({ name: 'nginx', isThere: find, brew: 'nginx' })
  return find()
}

let last = Promise.resolve()

/** Runs one installation at a time, because a package manager fails if another one holds its lock. */
function afterTheOthers(install) {
  const mine = last.then(install)
  last = mine.catch(() => {})
  return mine
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
  const commands = manager.steps(name).map((args) => [manager.program, ...args])
  if (!isRoot()) {
    const line = commands.map((words) => `sudo ${words.join(' ')}`).join(' && ')
    throw new SetupError(`${name} is needed and only root can install it. Run: ${line}`)
  }
  await withProgress(`${name} (with ${manager.program}, once)`, async () => {
    await afterTheOthers(async () => {
      for (const [program, ...args] of commands)
        await runCommand(program, args, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
    })
  })
  if (!isThere()) throw new SetupError(`${manager.program} did not install ${name}`)
}
