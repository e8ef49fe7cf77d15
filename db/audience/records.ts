import { sql, type RawBuilder } from 'kysely'

/**
 * Returns rows as a table for a statement, as one array for each column, so that PostgreSQL knows how many there are. `columns` gives the
 * type of each property, whose name is that of the column, in quotes. The type may not be an array.
 */
export const records = <Row extends object>(
  rows: readonly Row[],
  columns: { [Name in keyof Row & string]: string },
): RawBuilder<unknown> => {
  const types = Object.entries<string>(columns) as [keyof Row & string, string][]
  const values = types.map(
    ([name, type]) => sql`${rows.map((row) => row[name])}::${sql.raw(type)}[]`,
  )
  const names = types.map(([name]) => `"${name}"`)
  return sql`unnest(${sql.join(values)}) as d (${sql.raw(names.join(', '))})`
}
