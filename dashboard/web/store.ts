import { useSyncExternalStore } from 'react'

/** A value outside of React that components follow. */
export interface Store<T> {
  get: () => T
  set: (value: T) => void
  /** The value; renders again when it changes. */
  use: () => T
}

export function createStore<T>(initial: T): Store<T> {
  let current = initial
  const listeners = new Set<() => void>()
  const get = (): T => current
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    get,
    set(value) {
      current = value
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
