import { sql, type RawBuilder } from 'kysely'

/**
 * Returns rows as a table for a statement, in one parameter. `columns` gives the type of each property, whose name is that of the
 * column, in quotes.
 */
export const records = <Row extends object>(
  rows: readonly Row[],
  columns: { [Name in keyof Row & string]: string },
): RawBuilder<unknown> => {
  const types = Object.entries<string>(columns).map(([name, type]) => `"${name}" ${type}`)
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as d (${sql.raw(types.join(', '))})`
}
