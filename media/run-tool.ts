import { bareEnvironment } from '../child-process.ts'
import { launchTool, type LaunchedTool, type ToolOutput } from './launcher/launch-tool.ts'
import { MachineError, MediaError } from './media-error.ts'
import { watchProgress } from './watch-progress.ts'

/** The common options of every step on a file. */
export interface MediaWork {
  signal: AbortSignal
  /** Called at each sign of progress, with the finished fraction from 0 to 1 if it is known. */
  onProgress?: ((fraction?: number) => void) | undefined
  /** A tool without progress for this long is treated as hung and killed. Two minutes by default. */
  stallMs?: number | undefined
  /** From 0, the default, to 19: how far the tool yields the processor to others. */
  niceness?: number | undefined
}

/**
 * The same work without a fraction, for a tool that is a small part of its step, or whose attempts each begin at zero.
 */
export const withoutFraction = ({
  signal,
  onProgress,
  stallMs,
  niceness,
}: MediaWork): MediaWork => ({ signal, onProgress: () => onProgress?.(), stallMs, niceness })

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
  const { signal, niceness = 0 } = options
  signal.throwIfAborted()
  const env = bareEnvironment(ENVIRONMENT)
  const tool = launchTool({ program, args, env, niceness })
  const kill = (): void => killGroup(tool)
  const watch = watchProgress(options, kill)
  const output = { stdout: '', stderr: '' }
  tool.readOutput(collectInto(output, watch.onProgress, options))
  signal.addEventListener('abort', kill, { once: true })
  try {
    const { exitCode } = await tool.ended
    if (signal.aborted) throw new MediaError('aborted', 'The work was cancelled.')
    if (watch.hasStalled()) throw new MediaError('stalled', 'The file could not be read in time.')
    assertMachine(output.stderr)
    if (exitCode === null) throw crashed()
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

/** Keeps what a tool writes, as far as it is wanted. */
function collectInto(
  output: { stdout: string; stderr: string },
  onProgress: () => void,
  { onStdoutLine: onLine, onStderrLine }: RunOptions,
): ToolOutput {
  const keep = (text: string): void => {
    output.stderr = (output.stderr + text).slice(-STDERR_KEPT)
  }
  const onStdoutLines = inLines((line) => {
    if (onLine?.(line) === true) onProgress()
  })
  const onStderrLines = inLines((line) => {
    const kept = onStderrLine?.(line) ?? null
    if (kept !== null) keep(`${kept}\n`)
  }, STDERR_KEPT)
  return {
    onStdout(text) {
      if (onLine) return onStdoutLines(text)
      onProgress()
      if (output.stdout.length < STDOUT_KEPT_BYTES) output.stdout += text
    },
    onStderr: onStderrLine ? onStderrLines : keep,
  }
}

/** Splits text into lines. Of an unfinished one, at most the last `restMax` characters are kept. */
function inLines(onLine: (line: string) => void, restMax = Infinity): (text: string) => void {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(-restMax)
    for (const line of lines) onLine(line)
  }
}

function killGroup(tool: LaunchedTool): void {
  tool.kill('SIGTERM')
  const timer = setTimeout(() => tool.kill('SIGKILL'), KILL_AFTER_MS)
  const stop = (): void => clearTimeout(timer)
  tool.ended.then(stop, stop)
}
