import { createMenuItem } from 'media-chrome/menu/media-chrome-menu.js'
import type { MediaChromeMenu } from 'media-chrome/menu/media-chrome-menu.js'

interface RadioChoice {
  value: string
  text: string
}

/** A submenu of the settings where one choice is taken. */
export interface RadioMenu {
  /** Replaces the choices; the item in the settings is hidden where there is nothing to choose. */
  offer(choices: RadioChoice[], chosen: string): void
}

/** Fills the submenu with the given id; `onChosen` gets what the viewer takes. */
export function connectRadioMenu(id: string, onChosen: (value: string) => void): RadioMenu {
  const menu = document.querySelector<MediaChromeMenu>(`#${id}`)
  const item = menu?.closest<HTMLElement>('media-settings-menu-item')
  menu?.addEventListener('change', () => onChosen(menu.value))
  let shown = ''
  return {
    offer(choices, chosen) {
      if (!menu || !item) return
      item.hidden = choices.length < 2
      const state = JSON.stringify([choices, chosen])
      // A menu that is rebuilt loses the focus of whoever is in it.
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
