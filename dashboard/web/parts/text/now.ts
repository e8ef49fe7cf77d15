import { useSyncExternalStore } from 'react'

/** All panels of a page share one "now", so that their relative times agree. */
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const TICK_MS = 10_000

function tick(): void {
  if (document.hidden) return
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time in milliseconds; renders again every ten seconds while the page is visible. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
