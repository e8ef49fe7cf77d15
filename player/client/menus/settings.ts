import type { Words } from '../locales/words.ts'

/** An item that is neither a choice nor has a submenu. */
const PLAIN_ITEM = '[role="menuitem"]:not(:has([slot="submenu"]))'

/**
 * Labels the settings in the viewer's language, and shows submenus from their top, wherever the list of the settings was
 * scrolled to. Lets keys use the items that are no choices: Media Chrome's keys only choose and open submenus.
 */
export function connectSettings(words: Words): void {
  label(words)
  const settings = document.querySelector('media-settings-menu')
  settings?.addEventListener('toggle', () => (settings.scrollTop = 0), { capture: true })
  const useByKey = (event: Event): void => {
    const { target } = event
    if (!(event instanceof KeyboardEvent) || event.repeat) return
    const isPressed = event.key === 'Enter' || event.key === ' '
    if (isPressed && target instanceof HTMLElement && target.matches(PLAIN_ITEM)) target.click()
  }
  // Before the menus, which keep their keys to themselves.
  settings?.addEventListener('keydown', useByKey, { capture: true })
}

/** Fills the `data-word` placeholders of the page, and corrects what Media Chrome makes for English only. */
function label(words: Words): void {
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
