import type { Words } from './words/words.ts'

/** Puts the words of the viewer's language where the page has but places for them. */
export function labelControls(words: Words): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-word]')) {
    const { word } = place.dataset
    if (word !== undefined && word in words.menus)
      place.textContent = words.menus[word as keyof Words['menus']]
  }
  for (const menu of document.querySelectorAll('media-settings-menu [slot="submenu"]'))
    menu.shadowRoot?.querySelector('[part~="back"]')?.setAttribute('aria-label', words.menus.back)
}
