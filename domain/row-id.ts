/** The largest value of PostgreSQL's `integer`. */
export const ROW_ID_MAX = 2 ** 31 - 1

/** Parses a row id in canonical decimal form; returns null if the text is not one. */
export function parseRowId(text: string): number | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= ROW_ID_MAX ? id : null
}
