import { useEffect, type ReactNode } from 'react'
import { createStore } from '../store.ts'

/** What a person can do: by a button, its key, or the palette. */
export interface Action {
  id: string
  /** Where the palette lists it; among those of the page, if absent. */
  group?: 'areas' | 'actions'
  label: string
  icon?: ReactNode
  /** A Latin letter in lowercase. */
  key?: string
  run: () => void
}

const NONE: readonly Action[] = []

/** The actions of the open page. */
export const pageActions = createStore<readonly Action[]>(NONE)

/** Adds the actions of a page to the palette, the keys and the help while it is open. Keep the list stable (`useMemo`). */
export function usePageActions(actions: readonly Action[]): void {
  useEffect(() => {
    pageActions.set(actions)
    return () => pageActions.set(NONE)
  }, [actions])
}
