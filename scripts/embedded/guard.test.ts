import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isAlive } from '../../processes/is-alive.ts'
import { pinnedNode, projectDir } from '../bootstrap/tools.mjs'

// A supervisor, its child and a grandchild, like a worker with its ffmpeg.
const SUPERVISOR = `
import { startChild } from './scripts/embedded/child.ts'
import { startGuard } from './scripts/embedded/guard.ts'
const [trap] = process.argv.slice(1)
const child = startChild({
  program: 'sh',
  args: ['-c', trap + ' sleep 300 & echo $!; wait'],
  log: process.stdout,
  guard: startGuard(),
})
console.log(child.pid)
setInterval(() => {}, 1000)
`

async function supervise(trap: string) {
  const args = ['--no-warnings', '--input-type=module', '--eval', SUPERVISOR, trap]
  const supervisor = spawn(pinnedNode, args, {
    cwd: projectDir,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pids: number[] = []
  for await (const line of createInterface({ input: supervisor.stdout })) {
    pids.push(Number(line))
    if (pids.length === 2) break
  }
  return { supervisor, pids }
}

async function goneWithin(pids: number[], patienceMs: number): Promise<boolean> {
  const deadline = Date.now() + patienceMs
  while (pids.some(isAlive)) {
    if (Date.now() > deadline) return false
    await sleep(50)
  }
  return true
}

describe('the guard', () => {
  it.concurrent('ends a process and its descendants when the supervisor is killed', async () => {
    const { supervisor, pids } = await supervise('')
    expect(pids.every(isAlive)).toBe(true)
    supervisor.kill('SIGKILL')
    await once(supervisor, 'exit')
    expect(await goneWithin(pids, 30_000)).toBe(true)
  })

  it.concurrent('kills a process that ignores SIGTERM after ten seconds', async () => {
    const { supervisor, pids } = await supervise(`trap '' TERM;`)
    supervisor.kill('SIGKILL')
    await once(supervisor, 'exit')
    expect(await goneWithin(pids, 1_000)).toBe(false)
    expect(await goneWithin(pids, 45_000)).toBe(true)
  })
})
