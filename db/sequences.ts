import { sql } from 'kysely'
import { INTEGER_MAX, ROW_ID_MAX } from '../domain/row-id.ts'
import type { EntityManager } from './database.ts'
import { queries } from './queries.ts'

/** How many of its numbers a sequence has given. */
export interface SequenceUse {
  /** As PostgreSQL names it, such as `account_id_seq`. */
  name: string
  /** From 0 to 1, of the numbers that its column and an id can have. */
  share: number
}

/** Reads the use of every sequence, the most used first. */
export async function readSequenceUse(em: EntityManager): Promise<SequenceUse[]> {
  const { rows } = await sql<SequenceUse>`
    select s.sequencename as name, coalesce(s.last_value, 0)::float8 / least(s.max_value,
      case c.data_type when 'integer' then ${INTEGER_MAX}::bigint else ${ROW_ID_MAX}::bigint end) as share
    from pg_sequences s left join information_schema.columns c on c.table_schema = s.schemaname
      and c.column_default = format('nextval(%L::regclass)', s.sequencename)
      and not (select relispartition from pg_class where oid = format('%I.%I', c.table_schema, c.table_name)::regclass)
    where s.schemaname = current_schema()
    order by share desc, name`.execute(queries(em))
  return rows
}
