import type { Words } from '../locales/words.ts'
import type { Actions } from './actions.ts'

/** A keyboard shortcut. */
interface Shortcut {
  keys: string[]
  /** Labels of the keys in the help sheet. */
  labels: string[]
  /** Description in the help sheet. */
  word: keyof Words['help']
  run: (actions: Actions, key: string) => void
}

const VOLUME_STEP = 0.05
const SPEED_STEP = 0.25

/** The same keys as on YouTube, and three for the loop of a part. */
export const SHORTCUTS: readonly Shortcut[] = [
  {
    // Enter is the only such key of a remote.
    keys: [' ', 'k', 'Enter'],
    labels: ['␣', 'k'],
    word: 'playPause',
    run: (actions) => actions.togglePlay(),
  },
  { keys: ['j'], labels: ['j'], word: 'back10', run: (actions) => actions.seekBy(-10) },
  { keys: ['l'], labels: ['l'], word: 'forward10', run: (actions) => actions.seekBy(10) },
  { keys: ['ArrowLeft'], labels: ['←'], word: 'back5', run: (actions) => actions.seekBy(-5) },
  { keys: ['ArrowRight'], labels: ['→'], word: 'forward5', run: (actions) => actions.seekBy(5) },
  {
    keys: ['ArrowUp'],
    labels: ['↑'],
    word: 'volumeUp',
    run: (actions) => actions.changeVolume(VOLUME_STEP),
  },
  {
    keys: ['ArrowDown'],
    labels: ['↓'],
    word: 'volumeDown',
    run: (actions) => actions.changeVolume(-VOLUME_STEP),
  },
  { keys: ['m'], labels: ['m'], word: 'mute', run: (actions) => actions.toggleMute() },
  { keys: ['f'], labels: ['f'], word: 'fullScreen', run: (actions) => actions.toggleFullScreen() },
  {
    keys: ['i'],
    labels: ['i'],
    word: 'pictureInPicture',
    run: (actions) => actions.togglePictureInPicture(),
  },
  { keys: ['c'], labels: ['c'], word: 'captions', run: (actions) => actions.toggleCaptions() },
  {
    keys: ['<'],
    labels: ['<'],
    word: 'speedDown',
    run: (actions) => actions.changeSpeed(-SPEED_STEP),
  },
  {
    keys: ['>'],
    labels: ['>'],
    word: 'speedUp',
    run: (actions) => actions.changeSpeed(SPEED_STEP),
  },
  { keys: [','], labels: [','], word: 'frameBack', run: (actions) => actions.stepFrame(-1) },
  { keys: ['.'], labels: ['.'], word: 'frameForward', run: (actions) => actions.stepFrame(1) },
  { keys: ['a'], labels: ['a'], word: 'loopStart', run: (actions) => actions.startLoop() },
  { keys: ['b'], labels: ['b'], word: 'loopEnd', run: (actions) => actions.endLoop() },
  { keys: ['x'], labels: ['x'], word: 'loopStop', run: (actions) => actions.stopLoop() },
  {
    keys: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
    labels: ['0 … 9'],
    word: 'jump',
    run: (actions, key) => actions.seekToShare(Number(key) / 10),
  },
  {
    keys: ['Home', 'End'],
    labels: ['Home', 'End'],
    word: 'startEnd',
    run: (actions, key) => actions.seekToShare(key === 'Home' ? 0 : 1),
  },
]

/** Finds the shortcut of a `KeyboardEvent.key`. Letters match in either case. */
const findShortcut = (key: string): Shortcut | undefined =>
  SHORTCUTS.find(({ keys }) => keys.includes(key.length === 1 ? key.toLowerCase() : key))

/** True if a focused element uses the key itself. Media Chrome's elements list theirs in `keysUsed`. */
function isTaken(event: KeyboardEvent): boolean {
  return event.composedPath().some((target) => {
    if (!(target instanceof HTMLElement)) return false
    if (target.matches('input:not([type=range]), textarea, select, dialog')) return true
    const isButton = target.matches('button, a, summary')
    if (isButton && [' ', 'Enter'].includes(event.key)) return true
    const { keysUsed }: HTMLElement & { keysUsed?: unknown } = target
    return Array.isArray(keysUsed) && keysUsed.includes(event.key)
  })
}

/**
 * Listens for the shortcuts in the whole page; `?` opens the help sheet. Runs the shortcuts of
 * `earlyKeys`, which were pressed before the controls had loaded.
 */
export function connectKeyboard(
  actions: Actions,
  showHelp: () => void,
  earlyKeys: KeyboardEvent[],
): void {
  const handle = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return
    const shortcut = findShortcut(event.key)
    if (!shortcut && event.key !== '?') return
    event.preventDefault()
    if (shortcut) shortcut.run(actions, event.key)
    else showHelp()
  }
  for (const event of earlyKeys) handle(event)
  document.addEventListener('keydown', handle)
}
