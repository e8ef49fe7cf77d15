import { Worker } from 'node:worker_threads'
import { ApiError } from '../api-error.ts'
import type { WebVttFault } from './find-webvtt-error.ts'

const DEADLINE_MS = 10_000
const MEMORY_MAX_MB = 256
const workerFile = new URL('./webvtt-worker.ts', import.meta.url)

/**
 * Throws 422 `invalid_caption`, naming the line, unless `content` is WebVTT. Runs in a thread of its
 * own with a deadline and a bound of memory: the text is the integrator's, and 5 MB of it take a second.
 */
export async function checkWebVtt(content: string, param: string): Promise<void> {
  const fault = await findInThread(content)
  if (fault === null) return
  const message = `The caption is not WebVTT: line ${fault.line}: ${fault.message}`
  throw new ApiError('invalid_caption', { param, message })
}

async function findInThread(content: string): Promise<WebVttFault | null> {
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MAX_MB }
  const worker = new Worker(workerFile, { workerData: content, resourceLimits })
  const { promise, resolve } = Promise.withResolvers<WebVttFault | null>()
  const giveUp = () => resolve({ line: 1, message: 'It is too complex to be parsed.' })
  const timer = setTimeout(giveUp, DEADLINE_MS)
  worker.once('message', resolve).once('error', giveUp).once('exit', giveUp)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
