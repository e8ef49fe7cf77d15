import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { execa } from 'execa'
import { MachineError, MediaError } from './media-error.ts'
import { watchProgress } from './watch-progress.ts'

/** What every step on a file is given. */
export interface MediaWork {
  signal: AbortSignal
  /** Called at each sign of progress; with how much is done, from 0 to 1, where that is known. */
  onProgress?: ((fraction?: number) => void) | undefined
  /** A tool without progress for this long is taken for hung and killed. Two minutes by default. */
  stallMs?: number | undefined
}

export interface RunOptions extends MediaWork {
  /** Gives way to tools that somebody is waiting for. */
  isBackground?: boolean
  /** Returns whether the line shows progress. Without it, all output does. */
  onStdoutLine?: (line: string) => boolean
  /** A folder that the tool writes to: where its files grow, that is progress. */
  outputDir?: string
}

export interface ToolResult {
  exitCode: number
  stdout: string
  /** The last lines, for logs; they may quote paths. */
  stderr: string
}

/** About a tenth of the processor while others want it (Linux). */
const BACKGROUND_NICENESS = 10
const KILL_AFTER_MS = 2_000
const STDERR_KEPT = 8_000
const STDOUT_KEPT_BYTES = 8 * 1024 * 1024

/**
 * Runs ffmpeg, ffprobe or the packager without a shell, in a process group of its own. The whole
 * group dies with the signal, and where the tool makes no progress: SIGTERM, then SIGKILL. A non-zero exit is a
 * result, since what it means differs from tool to tool. Throws MediaError `aborted`, `stalled` or
 * `tool_failed` (it crashed), and MachineError where the disk is full.
 */
export async function runTool(
  program: string,
  args: string[],
  options: RunOptions,
): Promise<ToolResult> {
  const { signal, isBackground = false } = options
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
  const kill = (): void => killGroup(child.pid, child)
  const watch = watchProgress(options, kill)
  signal.addEventListener('abort', kill, { once: true })
  const output = collect(child, watch.onProgress, options.onStdoutLine)
  try {
    const { exitCode, signal: killedBy, cause } = await child
    if (signal.aborted) throw new MediaError('aborted', 'The work was cancelled.')
    if (watch.hasStalled()) throw new MediaError('stalled', 'The file could not be read in time.')
    assertMachine(output.stderr)
    if (killedBy !== undefined) throw crashed()
    if (exitCode === undefined) throw cause
    return { exitCode, ...output }
  } finally {
    watch.end()
    signal.removeEventListener('abort', kill)
  }
}

const crashed = (): MediaError =>
  new MediaError('tool_failed', 'A program that reads the file crashed on it.')

/** What ffmpeg and the packager say where the machine, and not the file, is the reason. */
const MACHINE_FAULTS =
  /: (No space left on device|Disk quota exceeded|Read-only file system|Too many open files)$|FILE_FAILURE/m

/** Throws a MachineError; ffmpeg may end with 0 although the disk was full. */
function assertMachine(stderr: string): void {
  const match = MACHINE_FAULTS.exec(stderr)
  if (match) throw new MachineError(match[1] ?? 'A file could not be written')
  // A broken disk says this, and so do some demuxers of a file that was cut off.
  if (/: Input\/output error$/m.test(stderr)) throw crashed()
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
  onProgress: () => void,
  onLine: ((line: string) => boolean) | undefined,
): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  let rest = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    if (!onLine) {
      onProgress()
      if (output.stdout.length < STDOUT_KEPT_BYTES) output.stdout += chunk.toString('utf8')
      return
    }
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (onLine(line)) onProgress()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
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
