import type { Actions } from '../controls/actions.ts'
import type { PartLoop } from '../controls/loop.ts'
import type { Words } from '../locales/words.ts'
import { takeFocus } from './take-focus.ts'

/** What the context menu offers besides the actions of keys. */
export interface MenuParts {
  container: HTMLElement
  words: Words
  actions: Actions
  loop: PartLoop
  /** Copies a link to the current position; null if the player knows no address for viewers. */
  copyLink: (() => void) | null
  canPictureInPicture: boolean
  showHelp: () => void
  showStatistics: () => void
}

interface Item {
  text: string
  run: () => void
}

const MARGIN_PX = 8

/** Opens the player's context menu at a point of the window, or in the middle of the player for null. */
export function openContextMenu(parts: MenuParts, at: { x: number; y: number } | null): void {
  const { container, words } = parts
  document.querySelector<HTMLElement>('.context-menu')?.remove()
  let focusedBefore: Element | null = null
  const menu = document.createElement('div')
  menu.className = 'context-menu'
  menu.role = 'menu'
  menu.ariaLabel = words.more.title
  menu.slot = 'dialog'
  menu.toggleAttribute('noautohide', true)
  const close = (): void => {
    removeEventListener('pointerdown', closeOutside, { capture: true })
    removeEventListener('blur', close)
    if (menu.contains(document.activeElement) && focusedBefore instanceof HTMLElement)
      focusedBefore.focus()
    menu.remove()
  }
  const closeOutside = ({ target }: Event): void => {
    if (!(target instanceof Node && menu.contains(target))) close()
  }
  for (const item of itemsOf(parts)) menu.append(buttonOf(item, close))
  menu.addEventListener('keydown', (event) => moveFocus(menu, event, close))
  addEventListener('pointerdown', closeOutside, { capture: true })
  addEventListener('blur', close)
  container.append(menu)
  place(menu, container, at)
  focusedBefore = takeFocus(menu.querySelector('button'))
}

function itemsOf({ words: { more, help }, actions, loop, ...parts }: MenuParts): Item[] {
  const items: (Item | null)[] = [
    parts.copyLink && { text: more.copyLink, run: parts.copyLink },
    { text: more.loopStart, run: () => actions.startLoop() },
    loop.isOn() ? { text: more.loopEnd, run: () => actions.endLoop() } : null,
    loop.isOn() ? { text: more.loopStop, run: () => actions.stopLoop() } : null,
    parts.canPictureInPicture
      ? { text: more.pictureInPicture, run: () => actions.togglePictureInPicture() }
      : null,
    { text: help.title, run: parts.showHelp },
    { text: more.statistics, run: parts.showStatistics },
  ]
  return items.filter((item) => item !== null)
}

function buttonOf({ text, run }: Item, close: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.role = 'menuitem'
  button.tabIndex = -1
  button.textContent = text
  button.addEventListener('click', () => {
    close()
    run()
  })
  return button
}

/** The keys of a menu (WAI-ARIA Authoring Practices, "Menu"). No other key reaches the player. */
function moveFocus(menu: HTMLElement, event: KeyboardEvent, close: () => void): void {
  const { key } = event
  event.stopPropagation()
  if (key === 'Enter' || key === ' ') return
  event.preventDefault()
  if (key === 'Escape' || key === 'Tab') return close()
  const items = [...menu.querySelectorAll('button')]
  const index = items.findIndex((item) => item === document.activeElement)
  const steps: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: -1,
  }
  const next = steps[key]
  if (next !== undefined) items.at(next % items.length)?.focus()
}

/** Puts the menu at the point, moved inside the container. */
function place(
  menu: HTMLElement,
  container: HTMLElement,
  at: { x: number; y: number } | null,
): void {
  const box = container.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = menu
  const middle = { x: box.left + (box.width - width) / 2, y: box.top + (box.height - height) / 2 }
  const { x, y } = at ?? middle
  const inside = (value: number, size: number, room: number): number =>
    Math.max(MARGIN_PX, Math.min(value, room - size - MARGIN_PX))
  menu.style.left = `${inside(x - box.left, width, box.width)}px`
  menu.style.top = `${inside(y - box.top, height, box.height)}px`
}
