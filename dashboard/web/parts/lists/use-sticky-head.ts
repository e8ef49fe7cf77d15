import { useEffect, useRef, useState, type RefObject } from 'react'

interface StickyHead {
  frame: RefObject<HTMLDivElement | null>
  /** False if the table is wider than its frame, which scrolls then and keeps the head within itself; null until that is known. */
  fits: boolean | null
}

/** Follows whether a table fits its frame, so that its head can stay at the top of the window. */
export function useStickyHead(): StickyHead {
  const frame = useRef<HTMLDivElement>(null)
  const [fits, setFits] = useState<boolean | null>(null)
  useEffect(() => {
    const { current } = frame
    const table = current?.querySelector('table')
    if (!current || !table) return
    const observer = new ResizeObserver(() => setFits(table.offsetWidth <= current.clientWidth))
    observer.observe(current)
    observer.observe(table)
    return () => observer.disconnect()
  }, [])
  return { frame, fits }
}
