import { isUtf8 } from 'node:buffer'
import { fileURLToPath } from 'node:url'
import { bareExeca } from '../../child-process.ts'
import { z } from 'zod'
import { CAPTION_MAX_BYTES } from '../../domain/limits.ts'
import type { Egress } from '../../egress/egress.ts'
import { fetchCaptionSource } from '../../egress/fetch-caption-source.ts'
import { ApiError } from '../api-error.ts'
import { checkLink } from '../link-checks.ts'

/** The source of a caption: exactly one of the two. */
interface CaptionSource {
  content?: string | undefined
  source_url?: string | undefined
}

/** Returns the checked WebVTT text of a caption, sent inline or fetched. Throws an ApiError. */
export async function readCaption(
  egress: Egress,
  accountId: number,
  source: CaptionSource,
): Promise<string> {
  const param = source.content === undefined ? 'source_url' : 'content'
  const raw = source.content ?? (await fetchText(egress, accountId, source.source_url ?? ''))
  if (Buffer.byteLength(raw) > CAPTION_MAX_BYTES)
    throw new ApiError('source_too_large', { param, message: 'A caption has at most 5 MB.' })
  // The WebVTT specification replaces NUL in this way, and PostgreSQL cannot store it.
  const content = raw.replaceAll('\0', '\uFFFD')
  await checkWebVtt(content, param)
  return content
}

async function fetchText(egress: Egress, accountId: number, url: string): Promise<string> {
  const param = 'source_url'
  const bytes = await checkLink(accountId, param, () => fetchCaptionSource(egress, url, accountId))
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  throw new ApiError('invalid_caption', { param, message: 'The caption file is not UTF-8.' })
}

const PROCESSOR_MAX_SECONDS = 10
const MEMORY_MAX_MB = 256
const program = fileURLToPath(new URL('./webvtt-process.ts', import.meta.url))

/**
 * Throws 422 `invalid_caption` with the line unless `content` is WebVTT. The parser runs in a separate process with
 * limits on processor time and memory: 5 MB of an integrator's text take a second, and a worker thread that runs out
 * of memory can end the whole process. Elapsed time has no limit, because on a busy machine the process waits.
 */
export async function checkWebVtt(
  content: string,
  param: string,
  processorMaxSeconds = PROCESSOR_MAX_SECONDS,
): Promise<void> {
  const found = await findInProcess(content, processorMaxSeconds)
  if (found === null) return
  const message = `The caption is not WebVTT: line ${found.line}: ${found.message}`
  throw new ApiError('invalid_caption', { param, message })
}

const fault = z.object({ message: z.string(), line: z.int() }).nullable()

async function findInProcess(
  content: string,
  processorMaxSeconds: number,
): Promise<z.output<typeof fault>> {
  const node = [process.execPath, '--no-warnings', `--max-old-space-size=${MEMORY_MAX_MB}`, program]
  const limited = `ulimit -t ${processorMaxSeconds}; exec "$0" "$@"`
  const options = { input: content, stderr: 'ignore', reject: false } as const
  const parsed = await bareExeca()('/bin/sh', ['-c', limited, ...node], options)
  // The system ends a process that exceeds its processor time with a signal, and Node ends one without memory.
  if (parsed.isTerminated) return { line: 1, message: 'It is too complex to be parsed.' }
  if (parsed.failed) throw new Error('The parser of captions failed.', { cause: parsed })
  return fault.parse(JSON.parse(parsed.stdout))
}
