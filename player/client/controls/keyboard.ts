import type { Actions } from './actions.ts'
import type { Words } from '../words/words.ts'

/** A key (or keys for the same thing), what it does, and what the help sheet calls it. */
interface Shortcut {
  keys: string[]
  /** As they stand in the help sheet. */
  labels: string[]
  says: keyof Words['help']
  run: (actions: Actions, key: string) => void
}

const VOLUME_STEP = 0.05
const SPEED_STEP = 0.25

/** The keys that viewers know from YouTube. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: [' ', 'k'], labels: ['␣', 'k'], says: 'playPause', run: (does) => does.togglePlay() },
  { keys: ['j'], labels: ['j'], says: 'back10', run: (does) => does.seekBy(-10) },
  { keys: ['l'], labels: ['l'], says: 'forward10', run: (does) => does.seekBy(10) },
  { keys: ['ArrowLeft'], labels: ['←'], says: 'back5', run: (does) => does.seekBy(-5) },
  { keys: ['ArrowRight'], labels: ['→'], says: 'forward5', run: (does) => does.seekBy(5) },
  {
    keys: ['ArrowUp'],
    labels: ['↑'],
    says: 'volumeUp',
    run: (does) => does.changeVolume(VOLUME_STEP),
  },
  {
    keys: ['ArrowDown'],
    labels: ['↓'],
    says: 'volumeDown',
    run: (does) => does.changeVolume(-VOLUME_STEP),
  },
  { keys: ['m'], labels: ['m'], says: 'mute', run: (does) => does.toggleMute() },
  { keys: ['f'], labels: ['f'], says: 'fullScreen', run: (does) => does.toggleFullScreen() },
  {
    keys: ['i'],
    labels: ['i'],
    says: 'pictureInPicture',
    run: (does) => does.togglePictureInPicture(),
  },
  { keys: ['c'], labels: ['c'], says: 'captions', run: (does) => does.toggleCaptions() },
  { keys: ['<'], labels: ['<'], says: 'speedDown', run: (does) => does.changeSpeed(-SPEED_STEP) },
  { keys: ['>'], labels: ['>'], says: 'speedUp', run: (does) => does.changeSpeed(SPEED_STEP) },
  {
    keys: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
    labels: ['0 … 9'],
    says: 'jump',
    run: (does, key) => does.seekToShare(Number(key) / 10),
  },
  {
    keys: ['Home', 'End'],
    labels: ['Home', 'End'],
    says: 'startEnd',
    run: (does, key) => does.seekToShare(key === 'Home' ? 0 : 1),
  },
]

/** The shortcut of a key as the browser names it; letters count in either case. */
const findShortcut = (key: string): Shortcut | undefined =>
  SHORTCUTS.find(({ keys }) => keys.includes(key.length === 1 ? key.toLowerCase() : key))

/** Keys that an element on the way to the page keeps for itself, as Media Chrome's elements say. */
function isTaken(event: KeyboardEvent): boolean {
  return event.composedPath().some((target) => {
    if (!(target instanceof HTMLElement)) return false
    if (target.matches('input:not([type=range]), textarea, select, dialog')) return true
    const isButton = target.matches('button, a, summary')
    if (isButton && [' ', 'Enter'].includes(event.key)) return true
    const { keysUsed } = target as { keysUsed?: unknown }
    return Array.isArray(keysUsed) && keysUsed.includes(event.key)
  })
}

/**
 * Listens for the shortcuts wherever the focus is in the page; `?` asks for the help sheet. Keys that
 * were `pressed` before count as if they were pressed now.
 */
export function connectKeyboard(
  actions: Actions,
  showHelp: () => void,
  pressed: KeyboardEvent[],
): void {
  const take = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return
    const shortcut = findShortcut(event.key)
    if (!shortcut && event.key !== '?') return
    event.preventDefault()
    if (shortcut) shortcut.run(actions, event.key)
    else showHelp()
  }
  for (const event of pressed) take(event)
  document.addEventListener('keydown', take)
}
