import { copyDetails } from './controls/copy-text.ts'

// The script of the pages that say why a video does not play. Without it they lack the button and nothing else.
const button = document.querySelector<HTMLButtonElement>('#copy')
if (button) {
  button.hidden = false
  button.addEventListener('click', () => {
    const texts = [
      ...document.querySelectorAll('h1, h1 + p, details p, pre, .report, .request'),
    ].map(({ textContent }) => textContent ?? '')
    void copyDetails(texts).then(() => (button.textContent = button.dataset.copied ?? ''))
  })
}
