import { useEffect, useRef } from 'react'
import { createStore } from '../../../store.ts'

/** So that a pointer that passes loads nothing. */
const DELAY_MS = 300

/** The one video whose storyboard is shown. */
const previewed = createStore<string | null>(null)

export const useIsPreviewed = (id: string): boolean => previewed.use() === id

export function endPreview(id: string): void {
  if (previewed.get() === id) previewed.set(null)
}

/** Returns what begins the preview of a video after a moment, and what ends it. */
export function usePreview(id: string): { begin: () => void; end: () => void } {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const end = (): void => {
    clearTimeout(timer.current)
    endPreview(id)
  }
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      endPreview(id)
    },
    [id],
  )
  return {
    begin() {
      clearTimeout(timer.current)
      if (mayMove()) timer.current = setTimeout(() => previewed.set(id), DELAY_MS)
    },
    end,
  }
}

/** False for members who asked their system for less motion or less data. */
function mayMove(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  const asksFor = (feature: string): boolean => matchMedia(`(prefers-reduced-${feature})`).matches
  return connection?.saveData !== true && !asksFor('motion: reduce') && !asksFor('data: reduce')
}
