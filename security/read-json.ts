/** Returns the value of a JSON text; returns undefined, which no JSON text is, for any other text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
