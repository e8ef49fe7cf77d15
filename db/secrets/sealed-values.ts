import { sql, type RawBuilder } from 'kysely'
import type { SealedKind, SealedOwner } from '../../domain/sealed-value.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { SEALED_KINDS, sealedColumn, type SealedColumn } from './sealed-columns.ts'

/** A stored value under a master key. */
export interface SealedValue {
  owner: SealedOwner
  /** Its key within its kind, as text. */
  key: string[]
  sealed: string
}

export interface SealedPage {
  kind: SealedKind
  /** The key of the last value of the page before; null for the first page. */
  after: readonly string[] | null
  limit: number
}

/** A page of the values of a kind that none of these versions of the master key has sealed, by key. */
export function findValuesNotUnder(
  em: EntityManager,
  versions: readonly number[],
  { kind, after, limit }: SealedPage,
): Promise<SealedValue[]> {
  const { key } = sealedColumn(kind)
  const values = key.map(({ type }, index) => sql`${after?.[index]}::${sql.raw(type)}`)
  const isAfter = after === null ? sql`true` : sql`(${keyOf(key)}) > (${sql.join(values)})`
  return read(em, kind, (sealed) => sql`${sealed} ${isOther(versions)} and ${isAfter}`, limit)
}

/** A value that this version of the master key has sealed; null if it has sealed nothing. */
export const findValueUnder = (em: EntityManager, version: number): Promise<SealedValue | null> =>
  findFirst((kind) => read(em, kind, (sealed) => sql`${sealed} like ${prefixOf(version)}`, 1))

/**
 * A value that needs another version than these; null if there is none. Ignores text that names no version,
 * because no key opens it.
 */
export const findValueNotUnder = (
  em: EntityManager,
  versions: readonly number[],
): Promise<SealedValue | null> =>
  findFirst((kind) =>
    read(
      em,
      kind,
      (sealed) => sql`${sealed} ${isOther(versions)} and ${sealed} ~ '^v\\d{1,6}\\.'`,
      1,
    ),
  )

/** How many values of a kind a version of the master key has sealed. */
export interface SealedCount {
  kind: SealedKind
  /** Null for text that names no version. */
  version: number | null
  count: number
}

/** Counts the stored values, by kind and version. */
export async function countSealedValues(em: EntityManager): Promise<SealedCount[]> {
  const counts: SealedCount[] = []
  for (const kind of SEALED_KINDS) {
    const sealed = sealedText(sealedColumn(kind))
    const { rows } = await sql<Omit<SealedCount, 'kind'>>`
      select substring(${sealed} from '^v(\\d{1,6})\\.')::int as version, count(*)::int as count
      from ${source(sealedColumn(kind))} where ${sealed} is not null group by 1 order by 1
    `.execute(queries(em))
    counts.push(...rows.map((row) => ({ kind, ...row })))
  }
  return counts
}

async function read(
  em: EntityManager,
  kind: SealedKind,
  condition: (sealed: RawBuilder<unknown>) => RawBuilder<unknown>,
  limit: number,
): Promise<SealedValue[]> {
  const column = sealedColumn(kind)
  const sealed = sealedText(column)
  const { rows } = await sql<{ keyTexts: string[]; ownerTexts: string[]; sealed: string }>`
    select ${texts(column.key.map((part) => part.column))} as key_texts,
      ${texts(column.ownerColumns)} as owner_texts, ${sealed} as sealed
    from ${source(column)} where ${condition(sealed)}
    order by ${keyOf(column.key)} limit ${limit}
  `.execute(queries(em))
  return rows.map((row) => ({
    owner: column.ownerOf(row.ownerTexts),
    key: row.keyTexts,
    sealed: row.sealed,
  }))
}

async function findFirst(
  find: (kind: SealedKind) => Promise<SealedValue[]>,
): Promise<SealedValue | null> {
  for (const kind of SEALED_KINDS) {
    const [value] = await find(kind)
    if (value) return value
  }
  return null
}

const isOther = (versions: readonly number[]): RawBuilder<unknown> =>
  sql`not like all (${versions.map(prefixOf)}::text[])`

const prefixOf = (version: number): string => `v${version}.%`

const keyOf = (key: SealedColumn['key']): RawBuilder<unknown> =>
  sql.raw(key.map(({ column }) => column).join(', '))

const texts = (columns: readonly string[]): RawBuilder<unknown> =>
  sql.raw(`array[${columns.map((column) => `${column}::text`).join(', ')}]`)

const source = ({ table, column, isJson }: SealedColumn): RawBuilder<unknown> =>
  sql.raw(
    isJson
      ? `${table} cross join lateral jsonb_array_elements(${column}) with ordinality as element (value, number)`
      : table,
  )

const sealedText = ({ column, isJson }: SealedColumn): RawBuilder<unknown> =>
  sql.raw(isJson ? `(value->>'sealed_secret')` : column)
