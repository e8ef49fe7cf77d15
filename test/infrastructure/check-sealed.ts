import type pg from 'pg'
import { SEALED_KINDS, sealedColumn } from '../../db/secrets/sealed-columns.ts'

/** A sealed text of any version (`security/sealing/sealing.ts`). */
const SEALED = String.raw`v\d{1,6}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{22,}`

/** The columns that the registry of sealed values lists (`db/secrets/sealed-columns.ts`). */
const LISTED = SEALED_KINDS.map(sealedColumn).map(({ table, column }) => `${table}.${column}`)

/**
 * Searches every column of a database for sealed texts. Throws an Error that names the columns that the
 * registry of sealed values does not list: a rotation of the master key would forget their values.
 */
export async function checkSealed(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ search: string | null }>(SEARCH_ALL, [SEALED, LISTED])
  const search = rows[0]?.search
  const places = search ? (await client.query<{ place: string }>(search)).rows : []
  if (places.length === 0) return
  const columns = places.map(({ place }) => place).join(', ')
  throw new Error(
    `sealed values in ${columns}: a rotation of the master key forgets what db/secrets/sealed-columns.ts does not list`,
  )
}

/**
 * Writes the query that searches all other columns that can hold text; null if no table has rows. A table whose file is
 * empty has none: these are most of a test's database, and a query over all of them takes longer than many tests.
 */
const SEARCH_ALL = `
  select string_agg(format('select %L as place from %I where %I::text ~ %L',
    relname || '.' || attname, relname, attname, $1::text), ' union ') as search
  from pg_class
    join pg_attribute on attrelid = pg_class.oid
    join pg_type on pg_type.oid = atttypid
  where relnamespace = 'public'::regnamespace and relkind = 'r'
    and pg_relation_size(pg_class.oid) > 0
    and attnum > 0 and not attisdropped
    and (typname in ('text', 'jsonb') or typcategory = 'A')
    and relname || '.' || attname <> all ($2::text[])`
