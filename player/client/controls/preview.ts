/** Of the text inside Media Chrome's card: two lines of a chapter's title, or four of moments, each on its own. */
const TEXT_STYLE = `
slot {
  display: -webkit-box;
  overflow: hidden;
  line-height: 1.35;
  overflow-wrap: anywhere;
  text-wrap: balance;
  white-space: pre-line;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
}
:host([data-moments]) slot {
  -webkit-line-clamp: 4;
}`

/** Where Media Chrome keeps the seconds of the card; without it, the card is hidden. */
const SHOWN = 'mediapreviewtime'

/**
 * Shows the card whenever the pointer is on the seek bar: Media Chrome shows none if the pointer comes back to the second
 * that it has left.
 */
export function connectPreview(video: HTMLVideoElement): void {
  const bar = document.querySelector<HTMLElement>('media-time-range')
  const text = bar?.shadowRoot?.querySelector('media-preview-chapter-display')?.shadowRoot
  if (!bar || !text) return
  // The text beside it says what it shows.
  const thumbnail = bar.shadowRoot?.querySelector('media-preview-thumbnail')
  thumbnail?.shadowRoot?.querySelector('img')?.setAttribute('alt', '')
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(TEXT_STYLE)
  text.adoptedStyleSheets.push(sheet)
  bar.addEventListener('pointermove', (event) => {
    if (bar.hasAttribute(SHOWN) || isOverCard(event) || !Number.isFinite(video.duration)) return
    const { left, width } = bar.getBoundingClientRect()
    const share = Math.min(Math.max(0, (event.clientX - left) / width), 1)
    const options = { bubbles: true, composed: true, detail: share * video.duration }
    bar.dispatchEvent(new CustomEvent('mediapreviewrequest', options))
  })
}

const isOverCard = (event: Event): boolean =>
  event.composedPath().some((one) => one instanceof HTMLElement && one.part.contains('preview-box'))
