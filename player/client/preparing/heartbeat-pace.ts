import type { Outcome } from '../playback/session.ts'

/** Heartbeats at a pace that changes. */
export interface HeartbeatPace {
  /** Sends one as soon as no other one is under way. */
  now(this: void): void
}

/**
 * Sends a heartbeat at once, and each further one `nextMs` after the response to the one before; also after a failure,
 * because the server must know where a viewer waits. Calls `onEnd` when the session has ended.
 */
export function keepPace(
  beat: () => Promise<Outcome>,
  nextMs: (outcome: Outcome) => number,
  onEnd: () => void,
): HeartbeatPace {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isSending = false
  let isUrgent = false
  const send = async (): Promise<void> => {
    clearTimeout(timer)
    if (isSending) return void (isUrgent = true)
    isSending = true
    const outcome = await beat().catch((): Outcome => 'failed')
    isSending = false
    if (outcome === 'ended') return onEnd()
    timer = setTimeout(() => void send(), isUrgent ? 0 : nextMs(outcome))
    isUrgent = false
  }
  void send()
  return { now: () => void send() }
}
