// Defines only those elements of Media Chrome that the page uses, to keep the bundle small.
import 'media-chrome/media-controller.js'
import 'media-chrome/media-control-bar.js'
import 'media-chrome/media-play-button.js'
import 'media-chrome/media-mute-button.js'
import 'media-chrome/media-seek-backward-button.js'
import 'media-chrome/media-seek-forward-button.js'
import 'media-chrome/media-volume-range.js'
import 'media-chrome/media-time-range.js'
import 'media-chrome/media-captions-button.js'
import 'media-chrome/media-pip-button.js'
import 'media-chrome/media-fullscreen-button.js'
import 'media-chrome/media-loading-indicator.js'
import 'media-chrome/menu/media-chrome-menu.js'
import 'media-chrome/menu/media-playback-rate-menu.js'
import 'media-chrome/menu/media-settings-menu.js'
import 'media-chrome/menu/media-settings-menu-button.js'
import 'media-chrome/menu/media-settings-menu-item.js'
import MediaPlaybackRateButton from 'media-chrome/media-playback-rate-button.js'
import MediaTimeDisplay from 'media-chrome/media-time-display.js'
import type { Words } from '../locales/words.ts'

/**
 * `<time-display>`: the current or remaining time. Media Chrome's element has a fixed label, which hides
 * the visible text from screen readers (WCAG 2.5.3). Here the text is the accessible name.
 */
class TimeDisplay extends MediaTimeDisplay {
  override connectedCallback(): void {
    super.connectedCallback()
    this.removeAttribute('aria-label')
  }

  override attributeChangedCallback(
    name: string,
    oldValue: string | null,
    newValue: string | null,
  ): void {
    super.attributeChangedCallback(name, oldValue, newValue)
    this.removeAttribute('aria-label')
  }
}

customElements.define('time-display', TimeDisplay)

const RATE = 'mediaplaybackrate'

/**
 * `<speed-button>`: the speed, which a click changes. While it buffers, Shaka Player sets the speed to 0, which is not shown.
 * The label contains the visible text, which is the speed with an x.
 */
class SpeedButton extends MediaPlaybackRateButton {
  override attributeChangedCallback(
    name: string,
    oldValue: string | null,
    newValue: string | null,
  ): void {
    if (name === RATE && newValue === '0') return
    super.attributeChangedCallback(name, oldValue, newValue)
    const label = this.getAttribute('aria-label')
    if (name === RATE && label !== null) this.setAttribute('aria-label', `${label}x`)
  }
}

customElements.define('speed-button', SpeedButton)

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
