import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import {
  ensureDebootstrap,
  inheritedEnvironment,
  installOnce,
  projectDir,
} from '../../scripts/bootstrap/tools.mjs'
import { runWithTimes, type TimedRun } from './timed-run.ts'

const SUITE = 'bookworm'
const PACKAGES = ['ca-certificates', 'git', 'python3', 'python3-pip']
const NODE_VERSION = '20.20.2'
const OLDEST_NODE_VERSION = '18.20.8'
/** The npm that is part of both. */
const NPM_VERSION = '10.8.2'
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'
const ADDED_AUTHORITIES = '/usr/local/share/ca-certificates'
const USER = 'newcomer'
const USER_ID = '1000'
const KILL_AFTER_MS = 90 * 60_000

/** A folder with a Debian that has Node 20, npm, git, and Python with pip, and a fresh clone of the project's HEAD. */
export interface CleanMachine {
  /** Runs a shell command in the clone, without the caches and programs of this machine. All its processes end with it. */
  run(command: string): Promise<TimedRun>
  /** Installs Debian packages, as an administrator would have done before. */
  installPackages(...names: string[]): Promise<void>
  remove(): void
}

export interface CleanMachineOptions {
  /** Whether the newcomer is root; otherwise an ordinary user. */
  isRoot: boolean
  /** Whether Node is the oldest that starts the bootstrap, and the home folder is read-only. */
  isOdd?: boolean
}

/** Makes a clean machine. Requires root, for chroot and mounts. */
export async function makeCleanMachine({
  isRoot,
  isOdd = false,
}: CleanMachineOptions): Promise<CleanMachine> {
  const template = await ensureTemplate()
  const folder = mkdtempSync(join(tmpdir(), 'reelgate-newcomer-'))
  const root = join(folder, 'root')
  await execa('cp', ['-a', '--reflink=auto', join(template, 'root'), root])
  if (isOdd) await installNode(OLDEST_NODE_VERSION, folder, root)
  const home = isRoot ? '/root' : `/home/${USER}`
  // Spaces and umlauts, as in the name of a person's folder.
  const videos = `${isOdd ? '/srv' : home}/Größere Videos`
  const clone = `${videos}/reelgate`
  await execa('git', ['clone', '-q', '--no-hardlinks', projectDir, join(root, clone)])
  const owner = isRoot ? '0:0' : `${USER_ID}:${USER_ID}`
  await execa('chroot', [root, 'chown', '-R', owner, home, videos])
  const env = await clientEnvironment()
  const enter = (user: string, workDir: string, command: string) =>
    runWithTimes(
      'unshare',
      enterArguments({ root, user, home, isHomeReadOnly: isOdd, workDir, command }),
      {
        env,
        timeoutMs: KILL_AFTER_MS,
      },
    )
  return {
    run: (command) => enter(owner, clone, command),
    async installPackages(...names) {
      const install = `apt-get update -q && apt-get install -q -y --no-install-recommends ${names.join(' ')}`
      const { status, output } = await enter('0:0', '/', install)
      if (status !== 0) throw new Error(`Debian packages were not installed:\n${output}`)
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

function ensureTemplate(): Promise<string> {
  const name = `newcomer-${SUITE}-node-${NODE_VERSION}-with-hosts`
  return installOnce(name, 'A clean Debian with Node 20 (by debootstrap, once)', async (into) => {
    const root = join(into, 'root')
    const debootstrap = await ensureDebootstrap()
    await execa(debootstrap, ['--variant=minbase', `--include=${PACKAGES.join(',')}`, SUITE, root])
    rmSync(join(root, 'var/cache/apt/archives'), { recursive: true })
    mkdirSync(join(root, 'var/cache/apt/archives/partial'), { recursive: true })
    await trustAuthorities(root)
    // As Debian's installer writes it.
    writeFileSync(join(root, 'etc/hosts'), '127.0.0.1\tlocalhost\n::1\tlocalhost\n')
    await installNode(NODE_VERSION, into, root)
    await installNpm(root)
    await execa('chroot', [root, 'useradd', '--create-home', '--uid', USER_ID, USER])
  })
}

/** Trusts the authorities of this machine, those that its owner has added too: Java makes its own store from them. */
async function trustAuthorities(root: string): Promise<void> {
  if (existsSync(ADDED_AUTHORITIES))
    cpSync(ADDED_AUTHORITIES, join(root, ADDED_AUTHORITIES), { recursive: true })
  await execa('chroot', [root, 'update-ca-certificates'])
  cpSync(AUTHORITIES, join(root, AUTHORITIES), { dereference: true })
}

/** Installs Node from its npm package, which holds the files of the official release. */
async function installNode(version: string, scratch: string, root: string): Promise<void> {
  const unpacked = join(scratch, 'node')
  await unpackNpmPackage(`node-linux-${process.arch}@${version}`, unpacked)
  cpSync(join(unpacked, 'bin/node'), join(root, 'usr/local/bin/node'))
  rmSync(unpacked, { recursive: true })
}

async function installNpm(root: string): Promise<void> {
  const lib = join(root, 'usr/local/lib/node_modules')
  const bin = join(root, 'usr/local/bin')
  await unpackNpmPackage(`npm@${NPM_VERSION}`, join(lib, 'npm'))
  for (const program of ['npm', 'npx'])
    await execa('ln', ['-s', `../lib/node_modules/npm/bin/${program}-cli.js`, join(bin, program)])
}

async function unpackNpmPackage(name: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const { stdout } = await execa('npm', ['pack', '--silent', name], { cwd: folder })
  const archive = join(folder, stdout.trim())
  await execa('tar', ['-xzf', archive, '-C', folder, '--strip-components=1'])
  rmSync(archive)
}

interface Entry {
  root: string
  user: string
  home: string
  isHomeReadOnly: boolean
  workDir: string
  command: string
}

/** The arguments of unshare: a PID namespace ends every process with the command, and the mounts end with it too. */
function enterArguments(entry: Entry): string[] {
  const { root, user, home, isHomeReadOnly, workDir, command } = entry
  const mounts = [
    'mount -t proc proc "$0/proc"',
    'mount --rbind /dev "$0/dev"',
    ...(isHomeReadOnly ? ['mount -t tmpfs -o ro none "$0$2"'] : []),
  ].join(' && ')
  const enter = 'exec chroot --userspec="$1" "$0" env HOME="$2" sh -c "cd \\"$3\\" || exit 1; $4"'
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child']
  const inside = ['sh', '-c', `${mounts} && ${enter}`, root, user, home, workDir, command]
  return [...namespaces, ...inside]
}

/** Variables that configure package clients on this machine: certificates, proxies and mirrors. */
const CLIENT_VARIABLE =
  /^(SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|PIP_(CERT|INDEX_URL|DEFAULT_TIMEOUT)|CURL_CA_BUNDLE|GIT_SSL_CAINFO|GOPROXY|GOSUMDB|(https?|no)_proxy)$/i

async function clientEnvironment(): Promise<Record<string, string>> {
  const own = Object.entries(inheritedEnvironment()).filter(
    (entry): entry is [string, string] => CLIENT_VARIABLE.test(entry[0]) && entry[1] !== undefined,
  )
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  return {
    ...Object.fromEntries(own),
    ...(await npmSettings()),
    PATH: path,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
  }
}

/** The registry and the proxies of this machine's npm, as variables. */
async function npmSettings(): Promise<Record<string, string>> {
  const names = ['registry', 'cafile', 'proxy', 'https-proxy']
  const { stdout } = await execa('npm', ['config', 'get', ...names], { cwd: tmpdir() })
  const settings = stdout.split('\n').map((line) => line.split(/=(.*)/s, 2))
  return Object.fromEntries(
    settings
      .filter(([, value]) => value !== undefined && value !== '' && value !== 'null')
      .map(([name = '', value = '']) => [`npm_config_${name.replace('-', '_')}`, value]),
  )
}

/** The bytes that this machine has received on interfaces other than loopback, by all of its processes. */
export function receivedBytes(): number {
  const rows = readFileSync('/proc/net/dev', 'utf8').split('\n').slice(2)
  return rows
    .map((row) => row.trim().split(/[:\s]+/))
    .filter(([name]) => name !== '' && name !== 'lo')
    .reduce((sum, [, received]) => sum + Number(received), 0)
}
