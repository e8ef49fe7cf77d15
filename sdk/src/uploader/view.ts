import { uploaderStyle } from './style.ts'
import { fill, formatSize, TEXTS, type UploaderTexts } from './texts.ts'

/** What an uploader does: `waiting` for the network, `failed` until it is tried again. */
export type UploaderState =
  'empty' | 'starting' | 'sending' | 'waiting' | 'paused' | 'complete' | 'failed'

/** What an uploader shows. */
export interface UploaderLook {
  state: UploaderState
  name: string
  sentBytes: number
  sizeBytes: number
  /** Of the state `failed`. */
  code: string
  /** Whether no other file can follow. */
  isOnly: boolean
}

const BUTTONS = ['pause', 'resume', 'retry', 'cancel', 'another'] as const
type ButtonName = (typeof BUTTONS)[number]

/** What a person can do with an uploader. */
export type UploaderActions = Record<ButtonName, () => void> & { take: (file: File) => void }

const SHOWN: Record<UploaderState, readonly ButtonName[]> = {
  empty: [],
  starting: ['pause', 'cancel'],
  sending: ['pause', 'cancel'],
  waiting: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  complete: ['another'],
  failed: ['retry', 'cancel'],
}

/** The inside of an uploader. */
export interface UploaderView {
  show: (look: UploaderLook, texts: UploaderTexts, language: string | undefined) => void
  accept: (types: string) => void
}

/** Fills the shadow root of an uploader. */
export function createView(root: ShadowRoot, actions: UploaderActions): UploaderView {
  root.adoptedStyleSheets = [uploaderStyle()]
  const chooser = createChooser(root, actions)
  const file = element('div', 'file')
  const name = element('bdi', 'name')
  const bar = element('div', 'bar')
  const filled = element('div', 'fill')
  const figures = element('span', 'figures')
  const buttons = element('div', 'buttons')
  // Always in the page, because a region that appears with its text is not read.
  const status = element('p', 'status')
  const byName = new Map(BUTTONS.map((one) => [one, button(one, actions[one])]))
  bar.setAttribute('role', 'progressbar')
  bar.setAttribute('aria-valuemin', '0')
  bar.setAttribute('aria-valuemax', '100')
  status.setAttribute('role', 'status')
  bar.append(filled)
  buttons.append(...byName.values())
  file.append(name, buttons, bar, figures, status)
  root.append(chooser.box, file)
  return {
    accept: (types) => void (chooser.input.accept = types),
    show(look, given, language) {
      const texts = { ...TEXTS, ...given }
      const hadFocus = root.activeElement
      chooser.show(look.state === 'empty', texts)
      file.hidden = look.state === 'empty'
      for (const [one, shown] of byName) {
        shown.textContent = texts[one]
        shown.hidden = !SHOWN[look.state].includes(one) || (one === 'another' && look.isOnly)
      }
      name.textContent = look.name
      showProgress({ bar, filled, figures }, look, texts, language)
      say(status, statusText(look, texts))
      if (hadFocus instanceof HTMLElement && hadFocus.closest('[hidden]') !== null)
        root.querySelector<HTMLElement>('button:not([hidden], [hidden] *)')?.focus()
    },
  }
}

function createChooser(root: ShadowRoot, { take }: UploaderActions) {
  const box = element('div', 'drop')
  const input = document.createElement('input')
  input.type = 'file'
  input.hidden = true
  const choose = button('choose', () => input.click())
  const hint = element('span', 'hint')
  box.append(input, choose, hint)
  input.addEventListener('change', () => {
    const chosen = input.files?.[0]
    // So that the same file can be chosen again.
    input.value = ''
    if (chosen) take(chosen)
  })
  root.addEventListener('dragover', (event) => {
    event.preventDefault()
    box.classList.add('over')
  })
  root.addEventListener('dragleave', () => box.classList.remove('over'))
  root.addEventListener('drop', (event) => {
    event.preventDefault()
    box.classList.remove('over')
    const dropped = (event as DragEvent).dataTransfer?.files[0]
    if (dropped) take(dropped)
  })
  return {
    box,
    input,
    show(isShown: boolean, texts: typeof TEXTS) {
      box.hidden = !isShown
      choose.textContent = texts.choose
      hint.textContent = texts.drop
    },
  }
}

interface ProgressParts {
  bar: HTMLElement
  filled: HTMLElement
  figures: HTMLElement
}

function showProgress(
  { bar, filled, figures }: ProgressParts,
  { name, sentBytes, sizeBytes, state }: UploaderLook,
  texts: typeof TEXTS,
  language: string | undefined,
): void {
  const share = state === 'complete' ? 1 : sizeBytes > 0 ? sentBytes / sizeBytes : 0
  const percent = Math.floor(share * 100)
  bar.setAttribute('aria-label', fill(texts.bar, { name }))
  bar.setAttribute('aria-valuenow', String(percent))
  filled.style.inlineSize = `${share * 100}%`
  figures.textContent = fill(texts.figures, {
    percent: new Intl.NumberFormat(language, { style: 'percent' }).format(percent / 100),
    sent: formatSize(sentBytes, language),
    size: formatSize(sizeBytes, language),
  })
}

function statusText({ state, code }: UploaderLook, texts: UploaderTexts): string {
  if (state === 'empty') return ''
  return (state === 'failed' ? texts[code] : undefined) ?? texts[state] ?? ''
}

/** A screen reader reads the text again whenever it is set. */
function say(status: HTMLElement, text: string): void {
  if (status.textContent !== text) status.textContent = text
}

function element(tag: 'div' | 'span' | 'bdi' | 'p', part: string): HTMLElement {
  const made = document.createElement(tag)
  made.className = part
  made.setAttribute('part', part)
  return made
}

function button(name: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.setAttribute('part', `button ${name}`)
  if (name === 'choose') made.className = 'main'
  made.addEventListener('click', act)
  return made
}
