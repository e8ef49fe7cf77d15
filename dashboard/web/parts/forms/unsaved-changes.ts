import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { createQuestion } from '../../async-dialog.ts'

/** What leaving a page would lose: input that is not saved, or a secret that is shown once. */
export type Loss = 'input' | 'secret'

const question = createQuestion<Loss>()
let losses = 0

/** Whether to leave a page that would lose something, for the dialog that asks; null while none is left. */
export const useOpenLeaving = question.useOpen

/** True while leaving the page would lose something. */
export const wouldLose = (): boolean => losses > 0

/** Keeps the page while a form of it holds input that is not saved, as `useLoss` does. */
export const useUnsavedChanges = (isDirty: boolean): void => void useLoss(isDirty, 'input')

/**
 * Keeps the page while leaving it would lose something: leaving asks first, closing the tab too, and an ended session
 * shows a link to the sign-in instead of leading there. Tabs and filters of the same page stay free. Returns a function
 * that lets the page be left, for the moment before the next render.
 */
export function useLoss(isAtRisk: boolean, loss: Loss): () => void {
  const isReleased = useRef(false)
  useEffect(() => {
    if (!isAtRisk) return
    losses += 1
    return () => {
      losses -= 1
    }
  }, [isAtRisk])
  const shouldBlockFn = useCallback(
    async ({ current, next }: { current: Place; next: Place }) =>
      !isReleased.current && current.pathname !== next.pathname && !(await question.ask(loss)),
    [loss],
  )
  useBlocker({ shouldBlockFn, enableBeforeUnload: isAtRisk, disabled: !isAtRisk })
  return useCallback(() => {
    isReleased.current = true
  }, [])
}

/**
 * Keeps the page while something goes on in it that closing the tab would end, such as an upload: that asks first, and an ended session
 * shows a link to the sign-in. Pages within the app stay free. Returns the function that ends this.
 */
export function holdPage(): () => void {
  const ask = (event: Event): void => event.preventDefault()
  losses += 1
  addEventListener('beforeunload', ask)
  return () => {
    losses -= 1
    removeEventListener('beforeunload', ask)
  }
}

interface Place {
  pathname: string
}
