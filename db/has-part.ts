import { sql, type RawBuilder } from 'kysely'

/** Condition: one of the columns contains the text, in any case of its letters. */
export const hasPart = (columns: readonly string[], part: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    columns.map((column) => sql`strpos(lower(${sql.ref(column)}), lower(${part})) > 0`),
    sql` or `,
  )})`
