/** The row of a query that always returns one. Throws when it returned none. */
export function exactlyOne<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error('the query returned no row')
  return row
}
