import type { ElementId } from '../player-data.ts'

/** Finds an element of the player page. */
export const element = <T extends HTMLElement = HTMLElement>(id: ElementId): T | null =>
  document.querySelector<T>(`#${id}`)
