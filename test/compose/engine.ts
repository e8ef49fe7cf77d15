import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { ensureDockerEngine } from '../../scripts/bootstrap/tools.mjs'
import { waitFor } from '../infrastructure/wait-for.ts'

/** An engine of our own, beside one that the machine may have. */
export interface Engine {
  /** The environment of `docker` and Compose. */
  env: { DOCKER_HOST: string; DOCKER_BUILDKIT: '0' }
  docker: (...args: string[]) => Promise<string>
  /** Stops it with all its containers. Its images stay in `folder`. */
  stop: () => Promise<void>
}

const START_MS = 60_000
const STOP_MS = 60_000

/**
 * Starts dockerd with all its state in `folder`. It changes no firewall rule of the machine, so its containers reach the
 * machine and each other, and nothing else. Throws with the end of its log if it does not start.
 */
export async function startEngine(folder: string): Promise<Engine> {
  const program = await ensureDockerEngine()
  mkdirSync(folder, { recursive: true })
  const socket = join(folder, 'docker.sock')
  const logFile = join(folder, 'dockerd.log')
  const pidFile = join(folder, 'dockerd.pid')
  if (isRunning(pidFile)) throw new Error(`another run uses the engine in ${folder}`)
  const log = openSync(logFile, 'w')
  // In a process group of its own, Ctrl-C does not end it before its containers are stopped.
  const daemon = spawn(program, daemonArguments({ folder, socket, pidFile }), {
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  const env = { DOCKER_HOST: `unix://${socket}`, DOCKER_BUILDKIT: '0' } as const
  const docker = async (...args: string[]) => (await execa('docker', args, { env })).stdout
  const isUp = async () => {
    if (daemon.exitCode !== null) throw new Error(`dockerd ended:\n${lastLines(logFile)}`)
    return docker('version').then(
      () => true,
      () => false,
    )
  }
  await waitFor('the Docker engine', isUp, START_MS)
  return {
    env,
    docker,
    async stop() {
      daemon.kill('SIGTERM')
      await waitFor('the end of the engine', async () => daemon.exitCode !== null, STOP_MS)
    },
  }
}

const daemonArguments = (paths: { folder: string; socket: string; pidFile: string }): string[] => [
  `--data-root=${join(paths.folder, 'data')}`,
  `--exec-root=${join(paths.folder, 'exec')}`,
  `--host=unix://${paths.socket}`,
  `--pidfile=${paths.pidFile}`,
  '--iptables=false',
  '--ip6tables=false',
  '--bip=10.201.0.1/24',
  '--default-address-pool=base=10.202.0.0/16,size=24',
]

function isRunning(pidFile: string): boolean {
  const pid = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim() : ''
  return pid !== '' && existsSync(`/proc/${pid}/exe`)
}

const lastLines = (file: string): string =>
  readFileSync(file, 'utf8').trim().split('\n').slice(-15).join('\n')
