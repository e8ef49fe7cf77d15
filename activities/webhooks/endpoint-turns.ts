/** Limits how many attempts are in flight to one endpoint. */
export interface EndpointTurns {
  /**
   * Resolves to the endpoint's next turn, or to null if it does not come in time. Rejects with the signal's reason if the
   * signal aborts while it waits.
   */
  take(endpointId: number, signal: AbortSignal): Promise<Turn | null>
}

interface Turn {
  /** False if it came at once. */
  hasWaited: boolean
  /** Call it when the attempt is over. */
  end(): void
}

interface Line {
  runningCount: number
  /** In their order; each call passes a turn on. */
  waiting: Set<() => void>
}

/** An endpoint has `most` turns at the same time. A wait for one takes at most `waitMaxMs`. */
export function createEndpointTurns(most: number, waitMaxMs: number): EndpointTurns {
  const lines = new Map<number, Line>()

  const turnOf = (endpointId: number, line: Line, hasWaited: boolean): Turn => ({
    hasWaited,
    end() {
      const [next] = line.waiting
      if (next) return next()
      line.runningCount -= 1
      if (line.runningCount === 0) lines.delete(endpointId)
    },
  })

  return {
    async take(endpointId, signal) {
      const line = lines.get(endpointId) ?? { runningCount: 0, waiting: new Set() }
      lines.set(endpointId, line)
      if (line.runningCount < most) {
        line.runningCount += 1
        return turnOf(endpointId, line, false)
      }
      return (await waitIn(line, signal, waitMaxMs)) ? turnOf(endpointId, line, true) : null
    },
  }
}

/** Resolves to whether a turn was passed on in time. */
function waitIn({ waiting }: Line, signal: AbortSignal, waitMaxMs: number): Promise<boolean> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  /** Leaves the line at once, so that no turn is passed to one that has stopped waiting. */
  const leaving = (settle: () => void) => (): void => {
    waiting.delete(next)
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    settle()
  }
  const next = leaving(() => resolve(true))
  const onAbort = leaving(() => reject(signal.reason))
  const timer = setTimeout(
    leaving(() => resolve(false)),
    waitMaxMs,
  )
  waiting.add(next)
  signal.addEventListener('abort', onAbort, { once: true })
  return promise
}
