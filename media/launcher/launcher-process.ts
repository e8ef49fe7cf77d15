// The launcher of a process: starts its tools, and ends with it (ADR 0069). Has little memory, because the system copies the
// page tables of the process that starts another one.
import { spawn, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { tieToOwner } from '../tie-to-owner.ts'
import type { FromLauncher, KillSignal, ToLauncher, ToolCommand } from './messages.ts'

const running = new Map<number, ChildProcess>()

/** Resolves once the message is handed to the system. */
const send = (message: FromLauncher): Promise<void> =>
  new Promise((resolve) => void process.send?.(message, undefined, {}, () => resolve()))

function start(id: number, { program, args, env, niceness }: ToolCommand): void {
  const tied = tieToOwner(program, args)
  const tool = spawn(tied.program, tied.args, {
    env,
    detached: true,
    stdio: [tied.stdin, 'pipe', 'pipe'],
  })
  running.set(id, tool)
  if (niceness > 0) yieldProcessor(tool.pid, niceness)
  relay(id, 'stdout', tool.stdout)
  relay(id, 'stderr', tool.stderr)
  tool.once('error', ({ message }) => {
    running.delete(id)
    void send({ id, is: 'failed', message })
  })
  tool.once('exit', () => running.delete(id))
  tool.once('close', (exitCode, killedBy) => {
    if (tool.pid !== undefined) void send({ id, is: 'ended', exitCode, killedBy })
  })
}

/** Reads no further while the process is slow to take what was read. */
function relay(id: number, is: 'stdout' | 'stderr', stream: Readable | null): void {
  stream?.setEncoding('utf8').on('data', (text: string) => {
    stream.pause()
    void send({ id, is, text }).then(() => stream.resume())
  })
}

/**
 * Lowers the priority of a tool. Each tool is a separate session. With automatic groups, Linux first shares
 * the processor between sessions, so only the niceness of the group counts, not that of the process.
 */
function yieldProcessor(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return
  try {
    setPriority(pid, niceness)
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness))
  } catch {
    // The tool has already ended, or the system has no automatic groups.
  }
}

/** Only here is it known whether the group still has its leader, so that the signal reaches no other process. */
function kill(id: number, signal: KillSignal): void {
  const pid = running.get(id)?.pid
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has already ended.
  }
}

// The process decides when its tools end: it may have work to finish after these signals.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
// The tools end with this process (`tieToOwner`).
process.on('disconnect', () => process.exit())
process.on('message', (message: ToLauncher) => {
  if (message.do === 'start') start(message.id, message.command)
  else kill(message.id, message.signal)
})
