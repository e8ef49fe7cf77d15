import { element } from '../element.ts'
import type { Words } from '../words/words.ts'
import { SHORTCUTS } from './keyboard.ts'

/** Fills the help sheet with the shortcuts, except those in `without`. Returns a function that opens it. */
export function connectHelpSheet(words: Words, without: readonly string[]): () => void {
  const sheet = element<HTMLDialogElement>('help')
  if (!sheet) return () => undefined
  const heading = document.createElement('h2')
  heading.id = 'help-title'
  heading.textContent = words.help.title
  sheet.setAttribute('aria-labelledby', heading.id)
  const list = document.createElement('dl')
  const rows = SHORTCUTS.filter(({ word }) => !without.includes(word))
  for (const { labels, word } of [...rows, { labels: ['?'], word: 'showHelp' as const }])
    list.append(row(labels, words.help[word], words.help.or))
  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = words.help.close
  close.addEventListener('click', () => sheet.close())
  const top = document.createElement('header')
  top.append(heading, close)
  sheet.replaceChildren(top, list)
  // A click outside the content of the dialog has the dialog itself as its target.
  sheet.addEventListener('click', (event) => {
    if (event.target === sheet) sheet.close()
  })
  sheet.addEventListener('keydown', (event) => {
    if (event.key !== '?') return
    event.stopPropagation()
    sheet.close()
  })
  return () => sheet.showModal()
}

function row(labels: string[], text: string, or: string): HTMLElement {
  const pair = document.createElement('div')
  const keys = document.createElement('dt')
  for (const [index, label] of labels.entries()) {
    if (index > 0) keys.append(` ${or} `)
    const key = document.createElement('kbd')
    key.textContent = label
    keys.append(key)
  }
  const meaning = document.createElement('dd')
  meaning.textContent = text
  pair.append(keys, meaning)
  return pair
}
