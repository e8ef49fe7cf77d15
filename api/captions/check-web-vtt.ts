import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { bareExeca } from '../../child-process.ts'
import { ApiError, serviceUnavailable } from '../../http/api-error.ts'
import { findWebVttError, TOO_COMPLEX } from './find-web-vtt-error.ts'

const PROCESSOR_MAX_SECONDS = 10
const HEAP_MAX_MB = 64
/** Behind the requests of others, ahead of encoders. */
const NICENESS = 5
const program = fileURLToPath(new URL('./webvtt-process.ts', import.meta.url))

interface CheckOptions {
  processorMaxSeconds?: number
  /** Ends the parser when it aborts. */
  signal?: AbortSignal
}

/**
 * Throws 422 `invalid_caption` with the line unless `content` is WebVTT. The parser of a long text runs in a separate process with
 * limits on processor time and memory, behind the requests of others: 5 MB of an integrator's text take a second, and a
 * worker thread that runs out of memory can end the whole process. Elapsed time has no limit, because on a busy machine
 * the process waits. Throws 503 `service_unavailable` if the process was ended from outside, as for lack of memory.
 */
export async function checkWebVtt(
  content: string,
  param: string,
  options: CheckOptions = {},
): Promise<void> {
  const found = isShort(content) ? findWebVttError(content) : await findInProcess(content, options)
  if (found === null) return
  const message = `The caption is not WebVTT: line ${found.line}: ${found.message}`
  throw new ApiError('invalid_caption', { param, message })
}

/**
 * True for a text that is parsed at once: 32 KiB take about 10 ms at most, by trying 19 hostile texts. To start a process
 * takes longer.
 */
export const isShort = (content: string): boolean => content.length <= SHORT_MAX_LENGTH

const SHORT_MAX_LENGTH = 32 * 1024

const fault = z.object({ message: z.string(), line: z.int() }).nullable()

/** How the system ends a process that exceeds its processor time, and Node one whose heap is full. */
const ENDED_BY_LIMIT: readonly string[] = ['SIGXCPU', 'SIGABRT', 'SIGTRAP', 'SIGILL']

async function findInProcess(
  content: string,
  { processorMaxSeconds = PROCESSOR_MAX_SECONDS, signal }: CheckOptions,
): Promise<z.output<typeof fault>> {
  const heap = [`--max-old-space-size=${HEAP_MAX_MB}`, '--max-semi-space-size=4']
  const node = [process.execPath, '--no-warnings', ...heap, program]
  // At the hard limit the system would end it as it does for lack of memory.
  const limited = `ulimit -S -t ${processorMaxSeconds}; exec nice -n ${NICENESS} "$0" "$@"`
  const parsed = await bareExeca()('/bin/sh', ['-c', limited, ...node], {
    input: content,
    stderr: 'ignore',
    ...(signal && { cancelSignal: signal }),
    reject: false,
  })
  if (parsed.signal && ENDED_BY_LIMIT.includes(parsed.signal)) return TOO_COMPLEX
  if (parsed.isTerminated) throw serviceUnavailable()
  if (parsed.failed) throw new Error('The parser of captions failed.', { cause: parsed })
  return fault.parse(JSON.parse(parsed.stdout))
}
