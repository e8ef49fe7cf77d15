import { SHORTCUTS } from '../controls/keyboard.ts'
import { element } from '../element.ts'
import type { Words } from '../locales/words.ts'

interface HelpParts {
  words: Words
  /** Shortcuts that the sheet leaves out. */
  without: readonly string[]
  onShown: () => void
}

/** Opens the help sheet with the shortcuts and then calls `onShown`, or closes it. */
export function toggleHelp({ words: { help }, without, onShown }: HelpParts): void {
  const sheet = element<HTMLDialogElement>('help')
  if (!sheet) return
  if (!sheet.firstChild) fill(sheet, help, without)
  if (!sheet.togglePopover()) return
  sheet.querySelector('button')?.focus()
  onShown()
}

function fill(sheet: HTMLDialogElement, help: Words['help'], without: readonly string[]): void {
  const heading = document.createElement('h2')
  heading.id = 'help-title'
  heading.textContent = help.title
  sheet.setAttribute('aria-labelledby', heading.id)
  const list = document.createElement('dl')
  const rows = SHORTCUTS.filter(({ word }) => !without.includes(word))
  for (const { labels, word } of [...rows, { labels: ['?'], word: 'showHelp' as const }])
    list.append(row(labels, help[word], help.or))
  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = help.close
  close.addEventListener('click', () => sheet.hidePopover())
  const top = document.createElement('header')
  top.append(heading, close)
  const panel = document.createElement('div')
  panel.append(top, list)
  sheet.replaceChildren(panel)
  // A click beside the panel has the sheet itself as its target.
  sheet.addEventListener('click', (event) => {
    if (event.target === sheet) sheet.hidePopover()
  })
  // Keys inside a dialog are its own.
  sheet.addEventListener('keydown', ({ key }) => {
    if (key === '?') sheet.hidePopover()
  })
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
