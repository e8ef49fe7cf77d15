/** Returns the value of a JSON text; null if the text is not JSON. A schema then refuses both alike. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
