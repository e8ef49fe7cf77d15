import { useDirection } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { between, type Selection } from './selection.ts'

/** The element of a video, whose value is its id; its link has `data-video`. */
const ITEM = '[data-item]'

/** The id of the video that an element belongs to; null for one outside of the list. */
export const videoIdAt = (element: Element | null): string | null =>
  element?.closest<HTMLElement>(ITEM)?.dataset.item ?? null

/** Moves the focus to the link of a video. */
export const focusVideo = (id: string): void =>
  document.querySelector<HTMLElement>(`[data-video="${CSS.escape(id)}"]`)?.focus()

/**
 * Returns the keys of a list of videos, for the element around it: arrows, Home and End move, Space selects, the Shift key
 * selects what the arrows pass, Ctrl+A selects all and Escape none. `selection` is null for members who may not select.
 */
export function useListKeys(selection: Selection | null): (event: KeyboardEvent) => void {
  const { dir } = useDirection()
  return (event) => {
    const { target, currentTarget, key } = event
    const id = target instanceof Element ? videoIdAt(target) : null
    if (id === null || isTyping(target) || event.altKey) return
    const items = [...currentTarget.querySelectorAll<HTMLElement>(ITEM)]
    const ids = items.map(({ dataset }) => dataset.item ?? '')
    if (selection && select(event, { id, ids, selection })) return event.preventDefault()
    if (event.ctrlKey || event.metaKey) return
    const step = stepOf(key, dir === 'rtl', items)
    if (step === null) return
    event.preventDefault()
    const next = ids[Math.max(0, Math.min(ids.length - 1, ids.indexOf(id) + step))]
    // In a grid, no step leads down from the last row.
    if (next === undefined || (Math.abs(step) < ids.length && isOutside(ids, id, step))) return
    if (event.shiftKey && selection) selection.set(between(ids, id, next), true)
    focusVideo(next)
  }
}

const isTyping = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('form') !== null

const isOutside = (ids: readonly string[], id: string, step: number): boolean =>
  ids[ids.indexOf(id) + step] === undefined

interface At {
  id: string
  ids: readonly string[]
  selection: Selection
}

/** Changes the selection by a key; false for a key that does not. */
function select(event: KeyboardEvent, { id, ids, selection }: At): boolean {
  const isOnLink = event.target instanceof HTMLAnchorElement
  // A box selects by itself.
  if (event.key === ' ' && isOnLink) selection.choose(id, !selection.ids.has(id), event.shiftKey)
  else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) selection.set(ids, true)
  else if (event.key === 'Escape' && selection.ids.size > 0) selection.clear()
  else return false
  return true
}

/** How many videos a key moves on; null for another key. Rows of a grid are as long as the first one. */
function stepOf(key: string, isRightToLeft: boolean, items: readonly HTMLElement[]): number | null {
  const top = items[0]?.offsetTop
  const beyond = items.findIndex(({ offsetTop }) => offsetTop !== top)
  const columns = beyond === -1 ? items.length : beyond
  const forward = isRightToLeft ? -1 : 1
  if (key === 'ArrowDown') return columns
  if (key === 'ArrowUp') return -columns
  if (key === 'ArrowRight') return columns > 1 ? forward : null
  if (key === 'ArrowLeft') return columns > 1 ? -forward : null
  if (key === 'Home') return -items.length
  return key === 'End' ? items.length : null
}
