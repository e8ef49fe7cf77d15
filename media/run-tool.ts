import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { bareExeca } from '../child-process.ts'
import { MachineError, MediaError } from './media-error.ts'
import { tieToOwner } from './tie-to-owner.ts'
import { watchProgress } from './watch-progress.ts'

/** The common options of every step on a file. */
export interface MediaWork {
  signal: AbortSignal
  /** Called at each sign of progress, with the finished fraction from 0 to 1 if it is known. */
  onProgress?: ((fraction?: number) => void) | undefined
  /** A tool without progress for this long is treated as hung and killed. Two minutes by default. */
  stallMs?: number | undefined
  /** Yields the processor to tools for which people wait. */
  isBackground?: boolean | undefined
}

export interface RunOptions extends MediaWork {
  /** Returns whether the line shows progress. Without this function, all output does. */
  onStdoutLine?: (line: string) => boolean
  /** Returns what to keep of a line of `stderr`; null for nothing. Without this function, all is kept. */
  onStderrLine?: (line: string) => string | null
  /** A folder that the tool writes to; the growth of its files counts as progress. */
  outputDir?: string
}

export interface ToolResult {
  exitCode: number
  stdout: string
  /** The last lines, for logs; they may quote paths. */
  stderr: string
}

/** About a tenth of the processor while other tools run (Linux). */
const BACKGROUND_NICENESS = 10
const KILL_AFTER_MS = 2_000
/** Without a proxy, which must not see what ffmpeg reads on the loopback. */
const ENVIRONMENT = { AV_LOG_FORCE_NOCOLOR: '1' }
const STDERR_KEPT = 8_000
const STDOUT_KEPT_BYTES = 8 * 1024 * 1024

/**
 * Runs ffmpeg, ffprobe or the packager in a separate process group. Kills the whole group (SIGTERM, then SIGKILL)
 * when the signal aborts or the tool makes no progress. The tool also ends when this process is killed. Returns a
 * non-zero exit code, because its meaning depends on the tool. Throws MediaError `aborted`, `stalled` or
 * `tool_failed` (the tool crashed), and MachineError if the disk is full or the tool is missing.
 */
export async function runTool(
  program: string,
  args: string[],
  options: RunOptions,
): Promise<ToolResult> {
  const { signal, isBackground = false } = options
  signal.throwIfAborted()
  const tied = tieToOwner(program, args)
  const child = bareExeca(ENVIRONMENT)(tied.program, tied.args, {
    stdin: tied.stdin,
    detached: true,
    reject: false,
    buffer: false,
    cleanup: true,
  })
  if (isBackground) yieldProcessor(child.pid)
  const kill = (): void => killGroup(child.pid, child)
  const watch = watchProgress(options, kill)
  signal.addEventListener('abort', kill, { once: true })
  const output = collect(child, watch.onProgress, options)
  try {
    const { exitCode, signal: killedBy, cause } = await child
    if (signal.aborted) throw new MediaError('aborted', 'The work was cancelled.')
    if (watch.hasStalled()) throw new MediaError('stalled', 'The file could not be read in time.')
    assertMachine(output.stderr)
    if (killedBy !== undefined) throw crashed()
    if (exitCode === undefined) throw cause
    if (NOT_STARTED.includes(exitCode)) throw new MachineError(`${program} could not be started`)
    return { exitCode, ...output }
  } finally {
    watch.end()
    signal.removeEventListener('abort', kill)
  }
}

/** The exit codes of a shell that could not start a program. */
const NOT_STARTED = [126, 127]

const crashed = (): MediaError =>
  new MediaError('tool_failed', 'A program that reads the file crashed on it.')

/** Messages of ffmpeg and the packager about the machine, not the file. */
const MACHINE_FAULTS =
  /: (No space left on device|Disk quota exceeded|Read-only file system|Too many open files)$|FILE_FAILURE/m

/** Throws if the machine caused an error; ffmpeg may exit with 0 although the disk is full. */
function assertMachine(stderr: string): void {
  const match = MACHINE_FAULTS.exec(stderr)
  if (match) throw new MachineError(match[1] ?? 'A file could not be written')
  // The message of a broken disk, but also of some demuxers for a truncated file.
  if (/: Input\/output error$/m.test(stderr)) throw crashed()
}

/**
 * Lowers the priority of a tool. Each tool is a separate session. With automatic groups, Linux first shares
 * the processor between sessions, so only the niceness of the group counts, not that of the process.
 */
function yieldProcessor(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, BACKGROUND_NICENESS)
    writeFileSync(`/proc/${pid}/autogroup`, String(BACKGROUND_NICENESS))
  } catch {
    // The tool has already ended, or the system has no automatic groups.
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
  { onStdoutLine: onLine, onStderrLine }: RunOptions,
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
  const keep = (text: string): void => {
    output.stderr = (output.stderr + text).slice(-STDERR_KEPT)
  }
  collectStderr(child, keep, onStderrLine)
  return output
}

function collectStderr(
  child: Child,
  keep: (text: string) => void,
  onLine: ((line: string) => string | null) | undefined,
): void {
  let rest = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (!onLine) {
      keep(chunk.toString('utf8'))
      return
    }
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = (lines.pop() ?? '').slice(-STDERR_KEPT)
    for (const line of lines) {
      const kept = onLine(line)
      if (kept !== null) keep(`${kept}\n`)
    }
  })
}

function killGroup(pid: number | undefined, child: Child): void {
  if (pid === undefined) return
  const send = (signal: 'SIGTERM' | 'SIGKILL'): void => {
    try {
      process.kill(-pid, signal)
    } catch {
      // The group has already ended.
    }
  }
  send('SIGTERM')
  const timer = setTimeout(() => send('SIGKILL'), KILL_AFTER_MS)
  child.once('exit', () => clearTimeout(timer))
}
