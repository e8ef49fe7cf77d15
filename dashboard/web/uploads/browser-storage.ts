import type { TextStorage } from './queue/chunk-size.ts'

/** What the browser keeps for its next visit; null if it keeps nothing: then `localStorage` throws. */
export function browserStorage(): TextStorage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}
