import { SEALED_KINDS, sealedColumn } from '../../db/secrets/sealed-columns.ts'
import { withClient } from './with-client.ts'

/** A sealed text of any version (`security/sealing/sealing.ts`). */
const SEALED = String.raw`v\d{1,6}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{22,}`

/** The columns that the registry of sealed values lists (`db/secrets/sealed-columns.ts`). */
const LISTED = SEALED_KINDS.map(sealedColumn).map(({ table, column }) => `${table}.${column}`)

/**
 * Searches every column of a database for sealed texts. Throws an Error that names the columns that the
 * registry of sealed values does not list: a rotation of the master key would forget their values.
 */
export async function checkSealed(databaseUrl: string): Promise<void> {
  const places = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ search: string | null }>(SEARCH_ALL, [SEALED, LISTED])
    const search = rows[0]?.search
    return search ? (await client.query<{ place: string }>(search)).rows : []
  })
  if (places.length === 0) return
  const columns = places.map(({ place }) => place).join(', ')
  throw new Error(
    `sealed values in ${columns}: a rotation of the master key forgets what db/secrets/sealed-columns.ts does not list`,
  )
}

/** Writes the query that searches all other columns that can hold text; null if there are no tables. */
const SEARCH_ALL = `
  select string_agg(format('select %L as place from %I where %I::text ~ %L',
    table_name || '.' || column_name, table_name, column_name, $1::text), ' union ') as search
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE'
    and data_type in ('text', 'jsonb', 'ARRAY')
    and table_name || '.' || column_name <> all ($2::text[])`
