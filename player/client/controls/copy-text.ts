/** Copies a text. A frame without the permission to write the clipboard may still copy what is selected. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    document.body.append(field)
    field.select()
    document.execCommand('copy')
    field.remove()
  }
}

/** Copies texts for support, and where, when and in which browser they were shown. Leaves out the query, which may hold a viewer token. */
export function copyDetails(texts: readonly string[]): Promise<void> {
  const { origin, pathname } = location
  const facts = [...texts, origin + pathname, new Date().toISOString(), navigator.userAgent]
  return copyText(facts.join('\n'))
}
