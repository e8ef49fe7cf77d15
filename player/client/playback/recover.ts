import type { Engine } from './engine.ts'
import { messageFor } from './error-code.ts'
import type { Problems } from '../problems.ts'

const RETRY_MS = 3_000

/** Loads the film, again and again while the connection is away. Throws what else goes wrong. */
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
 * Says what went wrong, and goes on by itself once a lost connection is back. Returns what another
 * try in place does.
 */
export function recoverFrom(
  engine: Engine,
  video: HTMLVideoElement,
  problems: Problems,
): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  const retry = (): void => void engine.player.retryStreaming()
  const isBack = (): void => {
    clearInterval(timer)
    timer = undefined
    problems.clear()
  }
  engine.player.addEventListener('error', (event) => {
    const code = messageFor((event as CustomEvent<unknown>).detail)
    problems.show(code)
    if (code !== 'network') return video.pause()
    timer ??= setInterval(retry, RETRY_MS)
  })
  addEventListener('online', retry)
  video.addEventListener('timeupdate', () => {
    if (timer !== undefined && !video.paused) isBack()
  })
  return retry
}
