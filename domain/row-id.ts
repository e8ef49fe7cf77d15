/** The largest id that a row can have: PostgreSQL's integer. */
export const ROW_ID_MAX = 2 ** 31 - 1

/** A row id as people and programs write it; null where the text cannot be one. */
export function parseRowId(text: string): number | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= ROW_ID_MAX ? id : null
}
