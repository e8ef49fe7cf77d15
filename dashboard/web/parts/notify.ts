import { createStore } from '../store.ts'

interface Success {
  id: number
  text: string
}

const SHOWN_MS = 4_000

/** What has just been done, oldest first; the shell shows it. */
export const successes = createStore<readonly Success[]>([])

let count = 0

/** Says for four seconds that something has been done. Errors stay where they happened (`ErrorState`). */
export function notify(text: string): void {
  count += 1
  const success = { id: count, text }
  successes.set([...successes.get(), success])
  setTimeout(() => successes.set(successes.get().filter(({ id }) => id !== success.id)), SHOWN_MS)
}
