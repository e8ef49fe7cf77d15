import { createStore } from '../store.ts'

/** What can still be done about what has been done, such as to undo it. */
interface NoticeAction {
  label: string
  run: () => void
}

interface Success {
  id: number
  text: string
  action?: NoticeAction
}

const SHOWN_MS = 4_000
/** Time to read it and to reach its button. */
const SHOWN_WITH_ACTION_MS = 12_000

/** What has just been done, oldest first; the shell shows it. */
export const successes = createStore<readonly Success[]>([])

let count = 0

/** Removes a notice before its time. */
export const dismiss = (id: number): void =>
  successes.set(successes.get().filter((one) => one.id !== id))

/**
 * Says for four seconds that something has been done, or for twelve if something can still be done about it. Errors stay
 * where they happened (`ErrorState`).
 */
export function notify(text: string, action?: NoticeAction): void {
  count += 1
  const id = count
  successes.set([...successes.get(), { id, text, ...(action && { action }) }])
  setTimeout(() => dismiss(id), action ? SHOWN_WITH_ACTION_MS : SHOWN_MS)
}
