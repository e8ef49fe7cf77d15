import {
  encodeFailureCode,
  FAILURE_CODE_RANDOM_MAX,
} from '../../../domain/playback-reports/failure-code.ts'
import type { PlayerCause } from '../../../domain/playback-reports/playback-causes.ts'
import type { PlayerContext } from '../player-context.ts'
import type { MessageCode, ProblemFacts } from '../problems.ts'

/** The code of the current problem, and its report. */
export interface FailureReports {
  /** Returns the code that is shown with a problem, and sends its report. The same problem keeps its code until it is solved. */
  codeOf(code: MessageCode, facts: ProblemFacts): string
  /** No problem is shown any more. */
  solved(): void
}

/** As many as the player host takes of a session. */
const WAITING_MAX = 5

/**
 * Makes the codes in the page, so that a viewer without a connection has one too. A report that cannot be sent is sent
 * again when the connection is back, or when the next problem is shown or solved.
 */
export function createFailureReports({ data, session, video }: PlayerContext): FailureReports {
  // The clock of the device may be wrong, and that of the page may stand still while the device sleeps.
  const aheadMs = performance.timeOrigin - data.sentAtMs
  const nowMs = (): number => Date.now() - aheadMs
  const waiting: string[] = []
  let isSending = false
  let current: { cause: PlayerCause; code: string } | null = null
  const sendAll = async (): Promise<void> => {
    if (isSending) return
    isSending = true
    while (waiting[0] !== undefined && (await send(waiting[0]))) waiting.shift()
    isSending = false
  }
  const send = async (body: string): Promise<boolean> => {
    const headers = { ...session.headers(), 'Content-Type': 'application/json' }
    const request = { method: 'POST', headers, body, keepalive: true }
    const response = await fetch(data.failuresUrl, request).catch(() => null)
    return response !== null && response.status < 500
  }
  addEventListener('online', () => void sendAll())
  return {
    codeOf(cause, facts) {
      if (current?.cause === cause) return current.code
      const random = Math.floor(Math.random() * FAILURE_CODE_RANDOM_MAX)
      const code = encodeFailureCode({ cause, atMs: nowMs() }, random)
      const where = {
        position_seconds: Math.floor(video.currentTime),
        is_online: navigator.onLine,
      }
      current = { cause, code }
      const details = { ...facts, ...where }
      if (waiting.length < WAITING_MAX) waiting.push(JSON.stringify({ code, cause, details }))
      void sendAll()
      return code
    },
    solved() {
      current = null
      void sendAll()
    },
  }
}
