const waiting = new Set<() => void>()

const wakeUp = (): void => {
  for (const go of waiting) go()
}

// The network is back, the computer has slept, or the member comes back from the tab of the sign-in.
for (const name of ['online', 'focus', 'pageshow']) addEventListener(name, wakeUp)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') wakeUp()
})

/** Resolves after a time; earlier if something has changed for which another attempt may succeed, or if `signal` is aborted. */
export const untilWorthTrying = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer)
      waiting.delete(go)
      signal.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, ms)
    waiting.add(go)
    signal.addEventListener('abort', go)
  })
