import type { Words } from '../words/words.ts'

/** Puts the words of the viewer's language where the page has but places for them. */
export function labelControls(words: Words): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-word]')) {
    const { word } = place.dataset
    if (word !== undefined && word in words.menus)
      place.textContent = words.menus[word as keyof Words['menus']]
  }
  for (const menu of document.querySelectorAll<HTMLElement>(
    'media-settings-menu, [slot="submenu"]',
  ))
    labelBackButton(menu, words)
  if (document.documentElement.dir === 'rtl') turnChevrons()
  // It says whether it is on, which a plain button cannot.
  document.querySelector('media-captions-button')?.setAttribute('role', 'switch')
}

/** Media Chrome's chevrons point forwards and back for text that is written from left to right. */
function turnChevrons(): void {
  for (const { shadowRoot } of document.querySelectorAll(
    'media-settings-menu-item, [slot="submenu"]',
  ))
    for (const icon of shadowRoot?.querySelectorAll<SVGElement>(
      '[name="suffix"] > svg, [name="back-icon"] > svg',
    ) ?? [])
      icon.style.scale = '-1 1'
}

/** A menu holds menu items alone (WAI-ARIA 1.2), which its way back is one of. */
function labelBackButton(menu: HTMLElement, words: Words): void {
  const back = menu.shadowRoot?.querySelector('[part~="back"]')
  const title = menu.querySelector('[slot="title"]')?.textContent ?? ''
  back?.setAttribute('role', 'menuitem')
  back?.setAttribute('aria-label', `${title}: ${words.menus.back}`)
}
