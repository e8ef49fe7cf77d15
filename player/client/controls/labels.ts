import type { Words } from '../words/words.ts'

/** Fills the `data-word` placeholders of the page with words of the viewer's language. */
export function labelControls(words: Words): void {
  const texts: Record<string, string> = words.menus
  for (const place of document.querySelectorAll<HTMLElement>('[data-word]')) {
    const text = texts[place.dataset.word ?? '']
    if (text !== undefined) place.textContent = text
  }
  for (const menu of document.querySelectorAll<HTMLElement>(
    'media-settings-menu, [slot="submenu"]',
  ))
    labelBackButton(menu, words)
  if (document.documentElement.dir === 'rtl') turnChevrons()
  // The role announces whether captions are on.
  document.querySelector('media-captions-button')?.setAttribute('role', 'switch')
}

/** Mirrors Media Chrome's chevrons, which are made for left-to-right text. */
function turnChevrons(): void {
  for (const { shadowRoot } of document.querySelectorAll(
    'media-settings-menu-item, [slot="submenu"]',
  ))
    for (const icon of shadowRoot?.querySelectorAll<SVGElement>(
      '[name="suffix"] > svg, [name="back-icon"] > svg',
    ) ?? [])
      icon.style.scale = '-1 1'
}

/** A menu may only contain menu items (WAI-ARIA 1.2), so the back button becomes one. */
function labelBackButton(menu: HTMLElement, words: Words): void {
  const back = menu.shadowRoot?.querySelector('[part~="back"]')
  const title = menu.querySelector('[slot="title"]')?.textContent ?? ''
  back?.setAttribute('role', 'menuitem')
  back?.setAttribute('aria-label', `${title}: ${words.menus.back}`)
}
