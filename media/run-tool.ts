import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { execa } from 'execa'
import { MediaError } from './media-error.ts'

export interface RunOptions {
  signal: AbortSignal
  /** Without output for this long the tool is taken for hung and killed. */
  stallMs?: number
  /** Gives way to tools that somebody is waiting for. */
  isBackground?: boolean
  onStdoutLine?: (line: string) => void
}

export interface ToolResult {
  exitCode: number | null
  stdout: string
  /** The last lines, for logs; they may quote paths. */
  stderr: string
}

const STALL_MS = 120_000
/** About a tenth of the processor while others want it (Linux). */
const BACKGROUND_NICENESS = 10
const KILL_AFTER_MS = 2_000
const STDERR_KEPT = 8_000
const STDOUT_KEPT_BYTES = 8 * 1024 * 1024

/**
 * Runs ffmpeg, ffprobe or the packager without a shell, in a process group of its own. The whole
 * group dies with the signal: SIGTERM, then SIGKILL. Throws MediaError `aborted` or `stalled`; a
 * non-zero exit is a result, since what it means differs from tool to tool.
 */
export async function runTool(
  program: string,
  args: string[],
  { signal, stallMs = STALL_MS, isBackground = false, onStdoutLine }: RunOptions,
): Promise<ToolResult> {
  signal.throwIfAborted()
  const child = execa(program, args, {
    stdin: 'ignore',
    detached: true,
    reject: false,
    buffer: false,
    cleanup: true,
    env: { LC_ALL: 'C', AV_LOG_FORCE_NOCOLOR: '1' },
  })
  if (isBackground) yieldProcessor(child.pid)
  let stalled = false
  const kill = (): void => killGroup(child.pid, child)
  let timer = setTimeout(onStall, stallMs)
  function onStall(): void {
    stalled = true
    kill()
  }
  const alive = (): void => {
    clearTimeout(timer)
    timer = setTimeout(onStall, stallMs)
  }
  signal.addEventListener('abort', kill, { once: true })
  const output = collect(child, alive, onStdoutLine)
  try {
    const { exitCode, cause } = await child
    if (signal.aborted) throw new MediaError('aborted', 'The work was cancelled.')
    if (stalled) throw new MediaError('stalled', 'The file could not be read in time.')
    if (exitCode === undefined && cause) throw cause
    return { exitCode: exitCode ?? null, ...output }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
  }
}

/**
 * A tool is a session of its own, and Linux shares the processor between sessions first where
 * automatic groups are on: the niceness of the group then counts, and that of the process does not.
 */
function yieldProcessor(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, BACKGROUND_NICENESS)
    writeFileSync(`/proc/${pid}/autogroup`, String(BACKGROUND_NICENESS))
  } catch {
    // It has ended already, or the system has no such groups.
  }
}

interface Child {
  stdout: Readable | null
  stderr: Readable | null
  once(event: 'exit', listener: () => void): unknown
}

function collect(
  child: Child,
  alive: () => void,
  onLine: ((line: string) => void) | undefined,
): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  let rest = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    alive()
    if (!onLine) {
      if (output.stdout.length < STDOUT_KEPT_BYTES) output.stdout += chunk.toString('utf8')
      return
    }
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    alive()
    output.stderr = (output.stderr + chunk.toString('utf8')).slice(-STDERR_KEPT)
  })
  return output
}

function killGroup(pid: number | undefined, child: Child): void {
  if (pid === undefined) return
  const send = (signal: 'SIGTERM' | 'SIGKILL'): void => {
    try {
      process.kill(-pid, signal)
    } catch {
      // The group is gone already.
    }
  }
  send('SIGTERM')
  const timer = setTimeout(() => send('SIGKILL'), KILL_AFTER_MS)
  child.once('exit', () => clearTimeout(timer))
}
