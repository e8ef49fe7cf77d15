import { useLocation } from '@tanstack/react-router'
import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Scrolls a row to the link that `selector` finds in it, when another one is chosen and when the row becomes wider,
 * as it does when counts arrive. The page itself is not scrolled, and a row that the user has scrolled stays.
 */
export function useChosenInView(row: RefObject<HTMLElement | null>, selector: string): void {
  const { href } = useLocation()
  const seen = useRef('')
  useLayoutEffect(() => {
    const { current } = row
    const chosen = current?.querySelector(selector)
    if (!current || !chosen) return
    const state = `${href} ${current.scrollWidth}`
    if (state === seen.current) return
    seen.current = state
    const [frame, link] = [current.getBoundingClientRect(), chosen.getBoundingClientRect()]
    // Differences of places, which are the same in both directions of writing.
    if (link.left < frame.left) current.scrollBy({ left: link.left - frame.left })
    else if (link.right > frame.right) current.scrollBy({ left: link.right - frame.right })
  })
}
