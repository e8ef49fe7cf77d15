const EVERY_MS = 5_000

/** Returns a function that calls `action` every few seconds, for lines about the progress. */
export function throttled<T>(action: (value: T) => void): (value: T) => void {
  let lastMs = Date.now()
  return (value) => {
    if (Date.now() - lastMs < EVERY_MS) return
    lastMs = Date.now()
    action(value)
  }
}
