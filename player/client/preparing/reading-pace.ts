import type { Outcome } from '../playback/session.ts'

/** Reads at a pace that changes. */
export interface ReadingPace {
  /** Reads as soon as no other read is under way. */
  now(this: void): void
}

/**
 * Reads at once, and again `nextMs` after each response; also after a failure, because the server must know where a viewer
 * waits. If that is null, it reads no more by itself. Calls `onEnd` when the session has ended.
 */
export function keepPace(
  read: () => Promise<Outcome>,
  nextMs: (outcome: Outcome) => number | null,
  onEnd: () => void,
): ReadingPace {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false
  let isUrgent = false
  const next = async (): Promise<void> => {
    clearTimeout(timer)
    if (isReading) return void (isUrgent = true)
    isReading = true
    const outcome = await read().catch((): Outcome => 'failed')
    isReading = false
    if (outcome === 'ended') return onEnd()
    const delayMs = isUrgent ? 0 : nextMs(outcome)
    if (delayMs !== null) timer = setTimeout(() => void next(), delayMs)
    isUrgent = false
  }
  void next()
  return { now: () => void next() }
}
