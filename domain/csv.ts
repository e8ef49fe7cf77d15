type Value = string | number | boolean | null

/** A spreadsheet would run a text that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Returns rows as CSV (RFC 4180); text that a spreadsheet would run begins with a quote. */
export const csvOf = (rows: readonly (readonly Value[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

function cellOf(value: Value): string {
  if (typeof value !== 'string') return String(value ?? '')
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
