import { useEffect } from 'react'
import type { Action } from '../parts/page-actions.ts'
import { readPreference, writePreference } from '../preferences.ts'
import { createStore } from '../store.ts'

/** Which of the two lists of actions is open. */
export const openList = createStore<'palette' | 'help' | null>(null)

/** The key that opens the palette together with K, as it is printed on the keyboard. */
export const MODIFIER = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

const areOn = createStore(readPreference('shortcuts') !== 'off')

/** Whether keys without a modifier act, and how to change it. */
export const useShortcutChoice = () => ({
  areOn: areOn.use(),
  choose: (isOn: boolean): void => {
    writePreference('shortcuts', isOn ? null : 'off')
    areOn.set(isOn)
  },
})

const TYPING =
  'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]'

/** Runs the actions by their keys, and opens the palette with Ctrl+K or ⌘K and the help with `?`. */
export function useShortcuts(actions: readonly Action[]): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      if (isPaletteKey(event)) {
        event.preventDefault()
        openList.set(openList.get() === 'palette' ? null : 'palette')
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || !areOn.get() || isTyping(event)) return
      if (event.key === '?') return openList.set('help')
      const action = actions.find(({ key }) => key === letterOf(event))
      if (!action || event.shiftKey) return
      event.preventDefault()
      action.run()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [actions])
}

const isPaletteKey = (event: KeyboardEvent): boolean =>
  letterOf(event) === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey

/** The Latin letter of a key; for another alphabet, the letter at its place on the keyboard. */
const letterOf = ({ key, code }: KeyboardEvent): string =>
  /^[a-z/]$/i.test(key)
    ? key.toLowerCase()
    : (/^Key(?<letter>[A-Z])$/.exec(code)?.[1] ?? '').toLowerCase()

/** True in a field, and while any dialog is open or opens. */
const isTyping = ({ target }: KeyboardEvent): boolean =>
  openList.get() !== null ||
  (target instanceof Element && target.closest(TYPING) !== null) ||
  document.querySelector('[role=dialog]') !== null
