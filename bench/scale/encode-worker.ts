import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { startChild } from '../../scripts/embedded/child.ts'
import type { Guard } from '../../scripts/embedded/guard.ts'
import { openRotatingLog } from '../../scripts/embedded/rotating-log.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { startCountingProxy } from './counting-proxy.ts'

/** A worker that only encodes, on one core, with its own scratch folder, as on a machine of its own. */
export interface EncodeWorker {
  core: number
  pid: number
  /** From object storage since its start: hardly more than what it has read of sources. */
  receivedBytes(): number
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface EncodeWorkerOptions {
  core: number
  /** Its log is beside it. */
  workDir: string
  /** The address of the S3 server. */
  endpoint: string
  env: NodeJS.ProcessEnv
  guard: Guard
}

/** Starts a worker with one encoder for each queue. Resolves when it is ready. */
export async function startEncodeWorker(options: EncodeWorkerOptions): Promise<EncodeWorker> {
  const { core, workDir, endpoint, env, guard } = options
  await mkdir(workDir, { recursive: true })
  const proxy = await startCountingProxy(endpoint)
  const settings = { S3_ENDPOINT: proxy.address, WORK_DIR: workDir }
  const queues = { WORKER_QUEUES: 'encode', ENCODE_SLOTS: '1' }
  const child = startChild({
    program: 'taskset',
    args: ['-c', String(core), pinnedNode, '--no-warnings', join(projectDir, 'worker.ts')],
    cwd: projectDir,
    env: { ...env, ...settings, ...queues },
    readyWords: 'worker is ready',
    log: openRotatingLog(`${workDir}.log`),
    guard,
  })
  await waitFor('an encode worker', async () => {
    if (child.end() !== null) throw new Error(`the worker ended: ${child.lastLines()}`)
    return child.hasWrittenReady()
  })
  return {
    core,
    pid: child.pid,
    receivedBytes: () => proxy.receivedBytes(),
    async kill() {
      if (child.end() === null) process.kill(child.pid, 'SIGKILL')
      await child.ended
      await proxy.close()
    },
    async stop() {
      if (child.end() === null) await child.stop()
      await proxy.close()
    },
  }
}
