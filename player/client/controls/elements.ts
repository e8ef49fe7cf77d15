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
import 'media-chrome/menu/media-settings-menu-button.js'
import MediaPlaybackRateButton from 'media-chrome/media-playback-rate-button.js'
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

/** Corrects a role of Media Chrome: this one announces whether captions are on. */
export const correctRoles = (): void =>
  document.querySelector('media-captions-button')?.setAttribute('role', 'switch')
