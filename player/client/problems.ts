import type { MessageCode } from './message-code.ts'

/** What is wrong at the moment; said to the viewer once the controls are there to say it. */
export interface Problems {
  show(code: MessageCode): void
  /** The problem is over. */
  clear(): void
  /** Told of what is wrong now, and of each change; null where nothing is. */
  follow(listener: (code: MessageCode | null) => void): void
}

/** Keeps the last problem for whoever follows later. */
export function createProblems(): Problems {
  let current: MessageCode | null = null
  const listeners: ((code: MessageCode | null) => void)[] = []
  const set = (code: MessageCode | null): void => {
    current = code
    const { dataset } = document.documentElement
    if (code === null) delete dataset.error
    else dataset.error = code
    for (const listener of listeners) listener(code)
  }
  return {
    show: set,
    clear: () => {
      if (current !== null) set(null)
    },
    follow(listener) {
      listeners.push(listener)
      if (current !== null) listener(current)
    },
  }
}
