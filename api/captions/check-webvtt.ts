import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { ApiError } from '../api-error.ts'
import type { WebVttFault } from './find-webvtt-error.ts'

const DEADLINE_MS = 10_000
const MEMORY_MAX_MB = 256
const program = fileURLToPath(new URL('./webvtt-process.ts', import.meta.url))

/**
 * Throws 422 `invalid_caption`, naming the line, unless `content` is WebVTT. Runs in a process of its
 * own with a deadline and a bound of memory: the text is the integrator's, 5 MB of it take a second,
 * and a thread that runs out of its memory may take the whole process with it.
 */
export async function checkWebVtt(content: string, param: string): Promise<void> {
  const fault = await findInProcess(content)
  if (fault === null) return
  const message = `The caption is not WebVTT: line ${fault.line}: ${fault.message}`
  throw new ApiError('invalid_caption', { param, message })
}

async function findInProcess(content: string): Promise<WebVttFault | null> {
  const { failed, stdout } = await execa(
    process.execPath,
    ['--no-warnings', `--max-old-space-size=${MEMORY_MAX_MB}`, program],
    // It gets nothing of our environment, which holds the master key.
    {
      input: content,
      env: {},
      extendEnv: false,
      stderr: 'ignore',
      timeout: DEADLINE_MS,
      reject: false,
    },
  )
  if (failed) return { line: 1, message: 'It is too complex to be parsed.' }
  return JSON.parse(stdout) as WebVttFault | null
}
