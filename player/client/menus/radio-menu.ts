import { createMenuItem, type MediaChromeMenu } from 'media-chrome/menu/media-chrome-menu.js'
import type { MenuId } from '../../player-data.ts'
import { element } from '../element.ts'

export interface RadioChoice {
  value: string
  text: string
  /** Why it cannot be chosen, shown below its text. */
  obstacle?: string | undefined
  /** More about it, shown below its text. */
  note?: string | undefined
}

/** A submenu of the settings with one selected choice. */
export interface RadioMenu {
  /** Replaces the choices. Hides the submenu if there are fewer than two. */
  offer(choices: RadioChoice[], chosen: string): void
}

/** Connects the submenu with the given id. Calls `onChosen` with the value that the viewer selects. */
export function connectRadioMenu(id: MenuId, onChosen: (value: string) => void): RadioMenu {
  const menu = element<MediaChromeMenu>(id)
  const item = menu?.closest<HTMLElement>('media-settings-menu-item')
  menu?.addEventListener('change', () => onChosen(menu.value))
  let shown = ''
  return {
    offer(choices, chosen) {
      if (!menu || !item) return
      item.hidden = choices.length < 2
      const items = menu.querySelectorAll<HTMLElement>('media-chrome-menu-item[type="radio"]')
      const state = JSON.stringify([
        choices.map(({ value, obstacle }) => [value, obstacle]),
        chosen,
      ])
      if (state === shown) {
        // In place: rebuilding an open menu would close it and lose the focus.
        for (const [index, choice] of choices.entries()) describe(items[index], choice)
        // Media Chrome then reads the selected choice again, which the settings show beside the submenu's name.
        menu.dispatchEvent(new CustomEvent('addmenuitem'))
        return
      }
      shown = state
      for (const old of items) old.remove()
      for (const choice of choices) {
        const { value, text, obstacle } = choice
        const made = createMenuItem({ type: 'radio', text, value, checked: value === chosen })
        stackLines(made)
        describe(made, choice)
        if (obstacle !== undefined) refuse(made, obstacle)
        // The links to panels stay below the choices.
        menu.insertBefore(made, menu.querySelector('.way'))
      }
    },
  }
}

/** Media Chrome puts what an item contains side by side. Its text, note and obstacle stand below each other. */
function stackLines(item: HTMLElement): void {
  const lines = document.createElement('div')
  lines.className = 'lines'
  lines.append(...item.querySelectorAll('span'))
  item.append(lines)
}

/** Writes an item's text, and its note below it. */
function describe(item: HTMLElement | undefined, { text, note = '' }: RadioChoice): void {
  const label = item?.querySelector('span')
  if (!item || !label) return
  label.textContent = text
  // The settings show it beside the submenu's name; otherwise they would add the note.
  item.dataset.description = text
  const noted = item.querySelector('.note')
  if (note === '') return noted?.remove()
  const place = noted ?? document.createElement('small')
  place.className = 'note'
  if (place.textContent !== note) place.textContent = note
  if (!noted) label.after(place)
}

/** Greys an item and writes the reason below it. It keeps the focus, so that screen readers read the reason. */
function refuse(item: HTMLElement, reason: string): void {
  const text = document.createElement('small')
  text.className = 'obstacle'
  text.textContent = reason
  item.querySelector('.lines')?.append(text)
  item.setAttribute('aria-disabled', 'true')
  const stop = (event: Event): void => {
    const isChoice = !(event instanceof KeyboardEvent) || [' ', 'Enter'].includes(event.key)
    if (isChoice) event.stopImmediatePropagation()
  }
  item.addEventListener('click', stop, { capture: true })
  item.addEventListener('keyup', stop, { capture: true })
}
