import { createStore } from './store.ts'

/** What is asked, for the dialog that shows it. */
interface OpenQuestion<T> {
  about: T
  respond: (isYes: boolean) => void
}

/** The functions that close the open questions; that of the one on top is the last. */
const opened: ((isYes: boolean) => void)[] = []

// Before the listener of any dialog of a page, so that Escape closes the question and not what is below it.
addEventListener('keydown', closeOnEscape, { capture: true })

function closeOnEscape(event: KeyboardEvent): void {
  const respond = opened.at(-1)
  if (!respond || event.key !== 'Escape' || event.isComposing) return
  event.stopImmediatePropagation()
  respond(false)
}

/** A question that code outside of React asks, and a dialog of the shell shows. */
export interface Question<T> {
  /** Opens the dialog and resolves to its result. All who ask while it is open share one result. */
  ask: (about: T) => Promise<boolean>
  /** The question that is open; null if there is none. */
  useOpen: () => OpenQuestion<T> | null
}

export function createQuestion<T>(): Question<T> {
  const open = createStore<OpenQuestion<T> | null>(null)
  let asked: Promise<boolean> | null = null
  const ask = (about: T): Promise<boolean> =>
    (asked ??= new Promise((resolve) => {
      const respond = (isYes: boolean): void => {
        asked = null
        open.set(null)
        opened.splice(opened.indexOf(respond), 1)
        resolve(isYes)
      }
      opened.push(respond)
      open.set({ about, respond })
    }))
  return { ask, useOpen: open.use }
}
