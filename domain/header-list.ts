const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e]*$/

/**
 * Returns the headers of a list such as `authorization=Basic%20a, x-team=video`, in the form of OpenTelemetry's variables;
 * null if it has another form, or names a header that HTTP does not allow.
 */
export function parseHeaderList(list: string): Record<string, string> | null {
  const headers: Record<string, string> = {}
  for (const pair of list.split(',').filter((text) => text.trim() !== '')) {
    const end = pair.indexOf('=')
    const name = pair.slice(0, Math.max(end, 0)).trim()
    const value = decoded(pair.slice(end + 1).trim())
    if (value === null || !NAME.test(name) || !VALUE.test(value)) return null
    headers[name] = value
  }
  return headers
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
