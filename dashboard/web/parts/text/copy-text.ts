/**
 * Copies a text; resolves to false if the browser refuses. On plain http beyond localhost there is no
 * `navigator.clipboard`, so the old command of the browser does it there.
 */
export async function copyText(text: string, near: Element): Promise<boolean> {
  if (!isSecureContext) return copyByCommand(text, near)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text, near)
  }
}

function copyByCommand(text: string, near: Element): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  // Within the dialog, if any: it keeps the focus inside.
  const parent = near.closest('[role=dialog]') ?? document.body
  parent.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (near instanceof HTMLElement) near.focus()
  return isCopied
}
