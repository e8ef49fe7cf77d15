/** Saves text as a file of the browser's downloads. */
export function saveCsv(name: string, csv: string): void {
  // With a byte order mark: without it, spreadsheets read UTF-8 as another encoding.
  const url = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
