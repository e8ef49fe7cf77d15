const SECONDS = '10'

/** Adds buttons that seek back and forward to the bar, after the play button. */
export function addSkipButtons(): void {
  const buttons = ['media-seek-backward-button', 'media-seek-forward-button'].map((name) => {
    const button = document.createElement(name)
    button.setAttribute('seekoffset', SECONDS)
    return button
  })
  document.querySelector('.bar > media-play-button')?.after(...buttons)
}
