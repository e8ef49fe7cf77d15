import { readPreference, writePreference } from '../preferences.ts'
import { createStore } from '../store.ts'

const KEPT_MAX = 3

/** The ids of the actions that were run last, newest first. Videos are not among them: their titles stay on the server. */
export const recentActions = createStore<readonly string[]>(
  (readPreference('recentActions') ?? '').split(' ').filter(Boolean),
)

/** Keeps an action of the palette for the next time. */
export function noteRecent(id: string): void {
  const kept = [id, ...recentActions.get().filter((one) => one !== id)].slice(0, KEPT_MAX)
  writePreference('recentActions', kept.join(' '))
  recentActions.set(kept)
}
