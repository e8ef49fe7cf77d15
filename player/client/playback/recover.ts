import type { Engine } from './engine.ts'
import { messageFor } from './error-code.ts'
import type { Problems } from '../problems.ts'

const RETRY_MS = 3_000

/** Loads the video. Retries network errors until it succeeds; throws all other errors. */
export async function loadPatiently(
  engine: Engine,
  problems: Problems,
  startSeconds: number | null,
): Promise<void> {
  for (;;) {
    try {
      await engine.load(startSeconds)
      return problems.clear()
    } catch (error) {
      if (messageFor(error) !== 'network') throw error
      problems.show('network')
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/**
 * Shows playback errors, and resumes by itself when a lost connection is back. Returns a function that
 * retries immediately.
 */
export function recoverFrom(
  engine: Engine,
  video: HTMLVideoElement,
  problems: Problems,
): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  const retry = (): void => void engine.player.retryStreaming()
  const recovered = (): void => {
    clearInterval(timer)
    timer = undefined
    problems.clear()
  }
  engine.player.addEventListener('error', (event) => {
    const code = messageFor('detail' in event ? event.detail : event)
    problems.show(code)
    if (code !== 'network') return video.pause()
    timer ??= setInterval(retry, RETRY_MS)
  })
  addEventListener('online', retry)
  video.addEventListener('timeupdate', () => {
    if (timer !== undefined && !video.paused) recovered()
  })
  return retry
}
