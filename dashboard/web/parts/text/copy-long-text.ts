/** Copies a selection without the line breaks that browsers put between the parts of a `LongText`. */
export function joinCopiedParts(event: ClipboardEvent): void {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || !event.clipboardData) return
  const selected = String(selection)
  let text = selected
  for (const element of document.querySelectorAll('[data-long-text] bdi'))
    if (selection.containsNode(element, true)) {
      const parts = Array.from(element.children, (part) => part.textContent)
      text = text.replace(parts.join('\n'), () => parts.join(''))
    }
  if (text === selected) return
  event.clipboardData.setData('text/plain', text)
  event.preventDefault()
}
