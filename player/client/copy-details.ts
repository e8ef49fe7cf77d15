import { copyText } from './controls/copy-text.ts'

// The script of the pages that say why a video does not play. Without it they lack the button and nothing else.
const button = document.querySelector<HTMLButtonElement>('#copy')
if (button) {
  button.hidden = false
  button.addEventListener('click', () => {
    const { origin, pathname } = location
    const texts = [...document.querySelectorAll('h1, h1 + p, details p, pre, .request')].map(
      ({ textContent }) => textContent ?? '',
    )
    // Without the query, which may hold a viewer token.
    const facts = [...texts, origin + pathname, new Date().toISOString(), navigator.userAgent]
    void copyText(facts.join('\n')).then(() => (button.textContent = button.dataset.copied ?? ''))
  })
}
