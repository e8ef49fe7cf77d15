import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { freePort } from '../embedded/ports.ts'
import type { Release } from './artifacts.ts'
import { architectureHere, listBinaries, type Architecture } from './binaries.ts'
import type { RunningService } from './service.ts'
import { SkippedError } from './steps.ts'
import { IMAGE } from './versions.ts'

const READY_TIMEOUT_MS = 120_000

/** Builds the image for a processor. Skipped for another one than this machine's, and without a Docker engine. */
export async function buildImage(
  { version, source }: Release,
  architecture: Architecture,
): Promise<string> {
  const missing = (await listBinaries(source)).filter(
    ({ architectures }) => !architectures.includes(architecture),
  )
  if (missing.length > 0)
    throw new SkippedError(`no ${architecture} of ${missing.map(({ name }) => name).join(', ')}`)
  if (architectureHere() !== architecture)
    throw new SkippedError(`a machine with ${architecture} builds and starts it`)
  await requireEngine()
  const labels = [`version=${version}`, 'title=Reelgate', 'licenses=Apache-2.0']
  await execa('docker', [
    'build',
    '--network=host',
    `--tag=${IMAGE}:${version}`,
    ...labels.flatMap((label) => ['--label', `org.opencontainers.image.${label}`]),
    source,
  ])
  const format = ['--format', '{{.Size}}']
  const { stdout } = await execa('docker', ['image', 'inspect', ...format, `${IMAGE}:${version}`])
  return `${IMAGE}:${version}, ${Math.round(Number(stdout) / 1e6)} MB`
}

async function requireEngine(): Promise<void> {
  const { failed, stderr } = await execa('docker', ['version'], { reject: false })
  if (failed)
    throw new SkippedError(`there is no Docker engine (${stderr.trim().split('\n').at(-1)})`)
}

/** What each process of the image is asked, once it runs. */
const PROCESSES = [
  ['api', 'api/server.ts', 'API_PORT'],
  ['player', 'player/server/main.ts', 'PLAYER_PORT'],
  ['dashboard', 'dashboard/server/main.ts', 'DASHBOARD_PORT'],
  ['worker', 'worker.ts', null],
] as const

/**
 * Starts the image beside the running service, with the rights of docker-compose.yml: the set-up step must end well, and
 * API, player, dashboard and worker must be ready. Removes all its containers.
 */
export async function startImage(release: Release, service: RunningService): Promise<string> {
  await requireEngine()
  const image = `${IMAGE}:${release.version}`
  const settings = join(release.folder, 'image.env')
  const lines = {
    DATABASE_URL: service.databaseUrl,
    TEMPORAL_ADDRESS: service.temporalAddress,
    MASTER_KEY: service.masterKey,
    STORAGE_DIR: '/tmp/storage',
    REELGATE_DATA_DIR: '/tmp/data',
  }
  const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(settings, text.join(''), { mode: 0o600 })
  const containers: string[] = []
  try {
    await execa('docker', [...runArguments(settings), '--rm', image, 'node', 'scripts/set-up.ts'])
    for (const [name, script, variable] of PROCESSES) {
      const [port, metricsPort] = [await freePort(), await freePort()]
      const ports = [`METRICS_ADDRESS=127.0.0.1:${metricsPort}`]
      if (variable !== null) ports.push(`${variable}=${port}`)
      const options = ports.flatMap((one) => ['--env', one])
      const args = [...runArguments(settings), ...options, '--detach', image, 'node', script]
      const container = (await execa('docker', args)).stdout
      containers.push(container)
      await untilReady(name, container, variable === null ? metricsPort : port)
    }
    await execa('docker', ['exec', containers[0] ?? '', 'reelgate', 'accounts', 'list'])
  } finally {
    if (containers.length > 0) await execa('docker', ['rm', '--force', ...containers])
    await rm(settings, { force: true })
  }
  return 'the set-up step ends, and API, player, dashboard and worker are ready'
}

const RIGHTS =
  '--user 1000:1000 --read-only --tmpfs /tmp:mode=1777 --cap-drop ALL --security-opt no-new-privileges:true'

const runArguments = (settings: string): string[] => [
  'run',
  '--network=host',
  '--init',
  `--env-file=${settings}`,
  ...RIGHTS.split(' '),
]

/** Throws with the end of its log if the process is not ready in time, or ends. */
async function untilReady(name: string, container: string, port: number): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  const url = `http://127.0.0.1:${port}/readyz`
  while (!(await isReady(url))) {
    const format = ['inspect', '--format', '{{.State.Running}}', container]
    const { stdout } = await execa('docker', format)
    if (stdout === 'true' && Date.now() < deadline) {
      await sleep(500)
      continue
    }
    const log = await execa('docker', ['logs', '--tail', '20', container], { all: true })
    throw new Error(`${name} is not ready:\n${log.all}`)
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
