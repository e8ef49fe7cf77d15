import { invalidArgument, ReelgateError } from './error.ts'
import type { CallOptions } from './http.ts'
import { sleep } from './sleep.ts'
import type { Video, VideoStatus } from './types.ts'

// The contract recommends 10 to 30 seconds; a key has 120 requests a minute for all calls.
const INTERVAL_DEFAULT_MS = 10_000
const INTERVAL_MIN_MS = 1000
const INTERVAL_MAX_MS = 60_000
const TIMEOUT_DEFAULT_MS = 6 * 3_600_000
// The longest delay of a timer.
const TIMEOUT_MAX_MS = 2 ** 31 - 1

export interface WaitOptions extends CallOptions {
  /** Called with the first status, and with each change of the status or of the percent. */
  onProgress?: ((status: VideoStatus) => void) | undefined
  /** The interval between two polls, 1000 to 60000; 10000 by default. */
  intervalMs?: number | undefined
  /** Limit for the whole wait; six hours by default. */
  timeoutMs?: number | undefined
}

/** The two calls that waiting requires. */
export interface VideoReader {
  get: (id: string, options: CallOptions) => Promise<Video>
  getStatus: (id: string, options: CallOptions) => Promise<VideoStatus>
}

/**
 * Polls the status until the video is ready, and resolves to the video. Throws a ReelgateError:
 * with the video's own code if it fails (type video_failed), wait_timeout after `timeoutMs`, or the
 * error of a call. Transient errors, such as an outage, only make the wait longer.
 */
export async function waitUntilReady(
  videos: VideoReader,
  id: string,
  options: WaitOptions = {},
): Promise<Video> {
  const { onProgress, intervalMs = INTERVAL_DEFAULT_MS } = options
  if (!(intervalMs >= INTERVAL_MIN_MS && intervalMs <= INTERVAL_MAX_MS))
    throw invalidArgument('intervalMs', `must be ${INTERVAL_MIN_MS} to ${INTERVAL_MAX_MS}`)
  const deadline = startDeadline(options.timeoutMs ?? TIMEOUT_DEFAULT_MS, options.signal)
  const { signal } = deadline
  let last: VideoStatus | undefined
  try {
    for (;;) {
      const poll = await pollStatus(videos, id, signal)
      if (poll.status && hasMoved(last, poll.status)) {
        last = poll.status
        onProgress?.(poll.status)
      }
      if (last?.status === 'ready' || last?.status === 'failed')
        return finished(await videos.get(id, { signal }))
      await sleep(Math.max(intervalMs, poll.waitMs), signal)
    }
  } finally {
    deadline.clear()
  }
}

/** A service of an earlier version sends no progress. */
const hasMoved = (last: VideoStatus | undefined, now: VideoStatus): boolean =>
  last?.status !== now.status || last.progress?.percent !== now.progress?.percent

/** Polls once. For a transient error, returns no status and the delay that the service requests. */
async function pollStatus(
  videos: VideoReader,
  id: string,
  signal: AbortSignal,
): Promise<{ status?: VideoStatus; waitMs: number }> {
  try {
    return { status: await videos.getStatus(id, { signal }), waitMs: 0 }
  } catch (error) {
    if (!(error instanceof ReelgateError) || !error.isTransient) throw error
    return { waitMs: (error.retryAfterSeconds ?? 0) * 1000 }
  }
}

function finished(video: Video): Video {
  if (video.status !== 'failed') return video
  throw new ReelgateError({
    type: 'video_failed',
    code: video.error?.code ?? 'video_failed',
    message: video.error?.message ?? 'The video failed.',
  })
}

/** Returns a signal that aborts after `timeoutMs`, or when the caller's signal aborts. */
function startDeadline(timeoutMs: number, outer: AbortSignal | undefined) {
  if (!(timeoutMs > 0 && timeoutMs <= TIMEOUT_MAX_MS))
    throw invalidArgument('timeoutMs', `must be more than 0 and at most ${TIMEOUT_MAX_MS}`)
  const controller = new AbortController()
  const stop = (): void => controller.abort(outer?.reason)
  const timer = setTimeout(() => {
    const message = `The video is not ready after ${timeoutMs} ms.`
    controller.abort(new ReelgateError({ type: 'wait_timeout', code: 'wait_timeout', message }))
  }, timeoutMs)
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop, { once: true })
  const clear = (): void => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', stop)
  }
  return { signal: controller.signal, clear }
}
