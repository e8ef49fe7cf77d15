// Imports only those elements of Media Chrome that the page uses, to keep the bundle small.
import 'media-chrome/media-controller.js'
import 'media-chrome/media-control-bar.js'
import 'media-chrome/media-play-button.js'
import 'media-chrome/media-mute-button.js'
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
import MediaTimeDisplay from 'media-chrome/media-time-display.js'

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
