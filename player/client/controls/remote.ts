import type { Actions } from './actions.ts'

/** The media keys of remotes. Elsewhere they reach the media session (`media-session.ts`). */
const MEDIA_KEYS: Readonly<Record<string, (actions: Actions) => void>> = {
  MediaPlayPause: (actions) => actions.togglePlay(),
  MediaPlay: (actions) => actions.togglePlay(),
  MediaPause: (actions) => actions.togglePlay(),
  MediaRewind: (actions) => actions.seekBy(-10),
  MediaFastForward: (actions) => actions.seekBy(10),
}
const BACK_KEYS = ['GoBack', 'BrowserBack', 'XF86Back']

/** From top to bottom. Remotes have keys for the volume, so its slider is left out. */
const ROWS = [
  '#message :is(button, summary)',
  '.statistics button',
  '.centre :is(media-play-button, .end-link)',
  'media-time-range',
  '.bar > :is(media-play-button, media-seek-backward-button, media-seek-forward-button, media-mute-button, time-display, media-captions-button, speed-button, media-settings-menu-button, media-pip-button, media-fullscreen-button)',
]
const SEEK_BAR = 'media-time-range'

/**
 * Lets the remote of a television reach every control by its arrows: up and down change the row, left and right move along it. On the
 * picture and on the seek bar, left and right seek. Back closes what is open, and leaves the controls.
 */
export function connectRemote(actions: Actions): void {
  const handle = (event: KeyboardEvent): void => {
    if (!isHandled(event, actions)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener('keydown', handle, { capture: true })
}

function isHandled({ key, target }: KeyboardEvent, actions: Actions): boolean {
  const run = MEDIA_KEYS[key]
  if (run) {
    run(actions)
    return true
  }
  const focused = target instanceof HTMLElement ? target : document.body
  if (BACK_KEYS.includes(key)) return goBack(focused)
  const panel = focused.closest<HTMLElement>('.panel')
  if (panel) return moveInPanel(panel, focused, key)
  // These move their focus by themselves.
  if (focused.closest('media-settings-menu, .context-menu, dialog')) return false
  return key === 'ArrowUp' || key === 'ArrowDown'
    ? changeRow(focused, key === 'ArrowUp' ? -1 : 1)
    : moveInRow(focused, key)
}

function goBack(focused: HTMLElement): boolean {
  if (focused === document.body) return false
  const dialog = focused.closest('dialog')
  const isOpen = focused.closest('media-settings-menu, .context-menu, .panel, .statistics')
  // Made events do not close the sheet of keys.
  if (dialog) dialog.hidePopover()
  else if (isOpen)
    focused.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  else focused.blur()
  return true
}

function moveInPanel(panel: HTMLElement, focused: HTMLElement, key: string): boolean {
  const step = { ArrowUp: -1, ArrowDown: 1 }[key]
  if (step === undefined) return false
  const all = visible(panel, 'button, select, input')
  all[Math.max(0, all.indexOf(focused) + step)]?.focus()
  return true
}

function changeRow(focused: HTMLElement, step: -1 | 1): boolean {
  const rows = ROWS.map((row) => visible(document, row)).filter((row) => row.length > 0)
  const now = rows.findIndex((row) => row.includes(focused))
  // From the picture, down leads to the buttons and up to the seek bar.
  const next = now < 0 ? rows.at(step > 0 ? -1 : -2) : rows[now + step]
  if (next) focus(next[0])
  else if (step < 0) focused.blur()
  return true
}

function moveInRow(focused: HTMLElement, key: string): boolean {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
  if (step === undefined || focused.matches(SEEK_BAR)) return false
  const row = ROWS.map((one) => visible(document, one)).find((one) => one.includes(focused))
  if (!row) return false
  focus(row[row.indexOf(focused) + step])
  return true
}

/** Media Chrome's sliders have the input that takes the focus inside. */
const focus = (one: HTMLElement | undefined): void =>
  (one?.shadowRoot?.querySelector('input') ?? one)?.focus()

const visible = (within: ParentNode, selector: string): HTMLElement[] =>
  [...within.querySelectorAll<HTMLElement>(selector)].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }),
  )
