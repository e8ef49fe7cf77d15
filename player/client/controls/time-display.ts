import MediaTimeDisplay from 'media-chrome/media-time-display.js'

/**
 * The time, or what is left of it. Media Chrome's own has a fixed label for screen readers, which
 * hides from them what everybody else sees (WCAG 2.5.3); here the text is the name.
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
