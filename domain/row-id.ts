/** The largest id of a row: JSON and JavaScript have larger integers only approximately. */
export const ROW_ID_MAX = Number.MAX_SAFE_INTEGER

/** The largest value of PostgreSQL's `integer`, which the ids of accounts and API keys have (ADR 0040). */
export const INTEGER_MAX = 2 ** 31 - 1

/** Parses a row id in canonical decimal form; returns null if the text is not one. */
export function parseRowId(text: string): number | null {
  if (!/^[1-9]\d*$/.test(text)) return null
  const id = Number(text)
  return id <= ROW_ID_MAX ? id : null
}

/** Parses the id of an account or an API key; returns null if the text is not one, also if it is larger than any. */
export function parseIntegerId(text: string): number | null {
  const id = parseRowId(text)
  return id !== null && id <= INTEGER_MAX ? id : null
}
