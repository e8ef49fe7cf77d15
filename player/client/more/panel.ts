import { takeFocus } from './take-focus.ts'

/** A panel over the picture that the viewer has opened. */
export interface Panel {
  element: HTMLElement
  close(): void
}

interface PanelOptions {
  container: HTMLElement
  className: string
  title: string
  closeText: string
  onClose?: () => void
}

let open: Panel | null = null

/**
 * Opens a panel with a heading and a button to close it, in place of another one. The keys of the player do not work
 * inside; Escape closes it, and the focus returns to where it was.
 */
export function openPanel({
  container,
  className,
  title,
  closeText,
  onClose,
}: PanelOptions): Panel {
  open?.close()
  let focusedBefore: Element | null = null
  const element = document.createElement('section')
  element.className = `panel ${className}`
  element.slot = 'dialog'
  element.ariaLabel = title
  element.toggleAttribute('noautohide', true)
  const heading = document.createElement('h2')
  heading.textContent = title
  const header = document.createElement('header')
  const panel: Panel = {
    element,
    close() {
      if (open === panel) open = null
      const hadFocus = element.contains(document.activeElement)
      element.remove()
      if (hadFocus && focusedBefore instanceof HTMLElement) focusedBefore.focus()
      onClose?.()
    },
  }
  const closeButton = iconButton(closeText, () => panel.close())
  header.append(heading, closeButton)
  element.append(header)
  element.addEventListener('keydown', (event) => {
    event.stopPropagation()
    if (event.key === 'Escape') panel.close()
  })
  container.append(element)
  focusedBefore = takeFocus(closeButton)
  open = panel
  return panel
}

function iconButton(label: string, run: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'close'
  button.ariaLabel = label
  button.textContent = '×'
  button.addEventListener('click', run)
  return button
}

/** Returns a label with a list of choices; calls `onChosen` with the value of the chosen one. */
export function selectField(
  label: string,
  choices: readonly { value: string; text: string }[],
  { chosen, onChosen }: { chosen: string; onChosen: (value: string) => void },
): { element: HTMLElement; set(value: string): void } {
  const field = document.createElement('label')
  const name = document.createElement('span')
  name.textContent = label
  const select = document.createElement('select')
  for (const { value, text } of choices) select.add(new Option(text, value))
  select.value = chosen
  select.addEventListener('change', () => onChosen(select.value))
  field.append(name, select)
  return { element: field, set: (value) => (select.value = value) }
}
