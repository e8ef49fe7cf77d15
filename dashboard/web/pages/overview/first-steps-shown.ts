import { useCallback, useEffect, useState } from 'react'
import type { Overview } from '../../api/overview.ts'
import { readHidden, writeHidden } from '../../preferences.ts'

/**
 * Whether the first steps are shown: until all are done, or until they are hidden. Both are kept in this
 * browser, so that the list does not return when a video is deleted.
 */
export function useFirstStepsShown(account: string, steps: Overview['steps']) {
  const [isHidden, setHidden] = useState(() => readHidden('firstSteps', account))
  const isDone = Object.values(steps).every(Boolean)
  const dismiss = useCallback(() => {
    writeHidden('firstSteps', account)
    setHidden(true)
  }, [account])
  useEffect(() => {
    if (isDone) writeHidden('firstSteps', account)
  }, [isDone, account])
  return { isShown: !isHidden && !isDone, dismiss }
}
