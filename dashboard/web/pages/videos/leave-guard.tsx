import { useBlocker } from '@tanstack/react-router'
import { useVideosWords } from './words.ts'

/** Asks before a form with unsaved changes is left, by a link, Back or the closing of the tab. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const { leave } = useVideosWords()
  useBlocker({
    // A change of the search is the same page.
    shouldBlockFn: ({ current, next }) =>
      isDirty && current.pathname !== next.pathname && !window.confirm(leave),
    enableBeforeUnload: isDirty,
  })
  return null
}
