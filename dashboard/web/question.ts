import { createStore } from './store.ts'

/** What is asked, for the dialog that shows it. */
interface OpenQuestion<T> {
  about: T
  answer: (isYes: boolean) => void
}

/** A question that code outside of React asks, and a dialog of the shell answers. */
export interface Question<T> {
  /** Opens the dialog and resolves to its answer. All who ask while it is open share one answer. */
  ask: (about: T) => Promise<boolean>
  /** The question that is open; null if there is none. */
  useOpen: () => OpenQuestion<T> | null
}

export function createQuestion<T>(): Question<T> {
  const open = createStore<OpenQuestion<T> | null>(null)
  let answer: Promise<boolean> | null = null
  const ask = (about: T): Promise<boolean> =>
    (answer ??= new Promise((resolve) => {
      open.set({
        about,
        answer(isYes) {
          answer = null
          open.set(null)
          resolve(isYes)
        },
      })
    }))
  // Before the listener of any dialog of a page, so that Escape closes the question and not what is below it.
  addEventListener('keydown', (event) => closeOnEscape(event, open.get()), { capture: true })
  return { ask, useOpen: open.use }
}

function closeOnEscape(event: KeyboardEvent, open: OpenQuestion<unknown> | null): void {
  if (!open || event.key !== 'Escape' || event.isComposing) return
  event.stopImmediatePropagation()
  open.answer(false)
}
