import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { createQuestion } from '../question.ts'

const question = createQuestion<null>()
let unsaved = 0

/** Whether to leave a page with unsaved input, for the dialog that asks; null while none is left. */
export const useOpenLeaving = question.useOpen

/** True while a form of the page holds input that is not saved. */
export const hasUnsavedChanges = (): boolean => unsaved > 0

/**
 * Keeps the page while `isDirty`: leaving it asks first, closing the tab too, and an ended session shows a
 * link to the sign-in instead of leading there. Tabs and filters of the same page stay free.
 */
export function useUnsavedChanges(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    unsaved += 1
    return () => {
      unsaved -= 1
    }
  }, [isDirty])
  const shouldBlockFn = useCallback(
    async ({ current, next }: { current: Place; next: Place }) =>
      current.pathname !== next.pathname && !(await question.ask(null)),
    [],
  )
  useBlocker({ shouldBlockFn, enableBeforeUnload: isDirty, disabled: !isDirty })
}

interface Place {
  pathname: string
}
