import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import type { Writable } from 'node:stream'
import type { Guard } from './guard.ts'

/** A process that the supervisor started. */
export interface Child {
  pid: number
  /** Resolves when the process has ended and its output is read, to a text such as "status 1" or "signal SIGKILL". */
  ended: Promise<string>
  /** The value of `ended`; null while the process runs. */
  end(): string | null
  /** The last lines of output, for an error message. */
  lastLines(): string
  /** Whether the output has contained `readyWords`, however much the process has written since. */
  hasWrittenReady(): boolean
  /** Sends the stop signal, and SIGKILL after ten seconds. Resolves when the process has ended. */
  stop(): Promise<void>
}

export interface ChildOptions {
  program: string
  args: string[]
  cwd?: string
  env?: NodeJS.ProcessEnv
  uid?: number
  gid?: number
  stopSignal?: NodeJS.Signals
  /** A line that the process writes when it is ready; none by default. */
  readyWords?: string
  log: Writable
  guard: Guard
}

const STOP_TIMEOUT_MS = 10_000
const LAST_OUTPUT_CHARS = 4_000
const OUTPUT_TIMEOUT_MS = 500

/** Starts a process. Its output goes to `log`; `guard` ends it when this process ends. */
export function startChild(options: ChildOptions): Child {
  const stopSignal = options.stopSignal ?? 'SIGTERM'
  const process = spawn(options.program, options.args, spawnOptions(options))
  const { readyWords } = options
  let lastOutput = ''
  let isReady = false
  const keep = (chunk: Buffer) => {
    options.log.write(chunk)
    const output = lastOutput + chunk.toString()
    isReady ||= readyWords !== undefined && output.includes(readyWords)
    lastOutput = output.slice(-LAST_OUTPUT_CHARS)
  }
  process.stdout?.on('data', keep)
  process.stderr?.on('data', keep)
  const { pid } = process
  let end: string | null = null
  const ended = waitForEnd(process).then((words) => {
    end = words
    if (pid !== undefined) options.guard.release(pid)
    return words
  })
  if (pid !== undefined) options.guard.watch(pid, stopSignal)
  return {
    pid: pid ?? 0,
    ended,
    end: () => end,
    lastLines: () => lastOutput.trim().split('\n').slice(-8).join('\n'),
    hasWrittenReady: () => isReady,
    stop: () => stop(process, ended, stopSignal),
  }
}

function spawnOptions({ cwd, env, uid, gid }: ChildOptions): SpawnOptions {
  return {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C signals every process in the terminal's group; the supervisor decides the order of the stop.
    detached: true,
    ...(cwd !== undefined && { cwd }),
    ...(env && { env }),
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  }
}

function waitForEnd(process: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    process.once('error', (error) => resolve(error.message))
    process.once('exit', (status, signal) => {
      endGroup(process.pid)
      const words = signal ? `signal ${signal}` : `status ${status}`
      // Its last output may still be in the pipes, which a process that it has left can hold open.
      const timer = setTimeout(resolve, OUTPUT_TIMEOUT_MS, words)
      process.once('close', () => {
        clearTimeout(timer)
        resolve(words)
      })
    })
  })
}

// Ends the descendants too: otherwise the ffmpeg of a killed worker would keep running.
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    globalThis.process.kill(-pid, 'SIGKILL')
  } catch {
    // Usually the group is already empty.
  }
}

async function stop(process: ChildProcess, ended: Promise<string>, signal: NodeJS.Signals) {
  process.kill(signal)
  const timer = setTimeout(() => process.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}
