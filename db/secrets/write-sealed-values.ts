import { sql } from 'kysely'
import type { SealedKind } from '../../domain/sealed-value.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { sealedColumn, type SealedColumn } from './sealed-columns.ts'

/** The sealed text of one value, and the text that replaces it. */
export interface Replacement {
  key: readonly string[]
  sealed: string
  resealed: string
}

/**
 * Replaces the sealed texts of a kind, each only if it is unchanged: a value that was written or deleted in
 * the meantime stays as it is. Returns how many it replaced.
 */
export async function replaceSealedValues(
  em: EntityManager,
  kind: SealedKind,
  replacements: readonly Replacement[],
): Promise<number> {
  const column = sealedColumn(kind)
  if (!column.isJson) return replaceTexts(em, column, replacements)
  let count = 0
  for (const replacement of replacements) count += await replaceInJson(em, column, replacement)
  return count
}

async function replaceTexts(
  em: EntityManager,
  { table, column, key }: SealedColumn,
  replacements: readonly Replacement[],
): Promise<number> {
  const parts = key.map(({ type }, index) => {
    const values = replacements.map((one) => one.key[index])
    return sql`${values}::${sql.raw(type)}[]`
  })
  const isRow = key.map((part, index) => sql.raw(`t.${part.column} = c.key_${index}`))
  const { rows } = await sql`
    update ${sql.raw(table)} t set ${sql.raw(column)} = c.resealed
    from unnest(${sql.join(parts)}, ${replacements.map((one) => one.sealed)}::text[],
        ${replacements.map((one) => one.resealed)}::text[])
      as c (${sql.raw(key.map((_part, index) => `key_${index}`).join(', '))}, sealed, resealed)
    where ${sql.join(isRow, sql` and `)} and t.${sql.raw(column)} = c.sealed
    returning 1
  `.execute(queries(em))
  return rows.length
}

/** Replaces the text wherever it is in the array: a sealed text is unique, and needs no escaping in JSON. */
async function replaceInJson(
  em: EntityManager,
  { table, column, key }: SealedColumn,
  { key: values, sealed, resealed }: Replacement,
): Promise<number> {
  const json = sql.raw(`${column}::text`)
  // The last column of the key is the position, which a newer secret may have changed.
  const isRow = key
    .slice(0, -1)
    .map(
      ({ column: name, type }, index) => sql`${sql.raw(name)} = ${values[index]}::${sql.raw(type)}`,
    )
  const { rows } = await sql`
    update ${sql.raw(table)} set ${sql.raw(column)} = replace(${json}, ${sealed}, ${resealed})::jsonb
    where ${sql.join(isRow, sql` and `)} and strpos(${json}, ${sealed}) > 0
    returning 1
  `.execute(queries(em))
  return rows.length
}
