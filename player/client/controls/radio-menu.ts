import { createMenuItem } from 'media-chrome/menu/media-chrome-menu.js'
import type { MediaChromeMenu } from 'media-chrome/menu/media-chrome-menu.js'
import type { MenuId } from '../../element-ids.ts'
import { element } from '../element.ts'

interface RadioChoice {
  value: string
  text: string
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
      const state = JSON.stringify([choices, chosen])
      // Rebuilding the menu would lose the focus.
      if (state === shown) return
      shown = state
      for (const old of menu.querySelectorAll('media-chrome-menu-item')) old.remove()
      for (const { value, text } of choices) {
        const made = createMenuItem({ type: 'radio', text, value, checked: value === chosen })
        menu.append(made)
      }
    },
  }
}
