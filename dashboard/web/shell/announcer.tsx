import { VisuallyHidden } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { followFocus } from '../parts/focus/last-focused.ts'
import { announcedTitle, beginNavigation } from '../parts/focus/navigation-focus.ts'

/** Follows the focus for the dialogs, and says the title of each page that is navigated to; its heading takes the focus (`PageHeader`). */
export function Announcer() {
  const router = useRouter()
  const title = announcedTitle.use()
  useEffect(followFocus, [])
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (pathChanged) beginNavigation()
      }),
    [router],
  )
  return (
    <VisuallyHidden component="output" aria-live="polite">
      <bdi>{title}</bdi>
    </VisuallyHidden>
  )
}
