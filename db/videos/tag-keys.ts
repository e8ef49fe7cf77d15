import { sql, type RawBuilder } from 'kysely'
import { storedTag, type TagKey } from '../../domain/videos/own-data.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/**
 * Reads what makes each of these tags the same as another one. The database says it, because it finds videos by it (`terms_of`), and its
 * Unicode is not that of Node.
 */
export async function readTagKeys(em: EntityManager, tags: readonly string[]): Promise<TagKey> {
  const stored = [...new Set(tags.map(storedTag))]
  if (stored.length === 0) return (tag) => tag
  const { rows } = await sql<{ tag: string; key: string }>`
    select tag, ${tagKey(sql`tag`)} as key from unnest(${stored}::text[]) tag`.execute(queries(em))
  const keys = new Map(rows.map(({ tag, key }) => [tag, key]))
  return (tag) => {
    const key = keys.get(tag)
    if (key === undefined) throw new Error('the key of a tag was not read')
    return key
  }
}

/** The name of a tag, as it is stored, in its term: as in the function `terms_of` of the database. */
export const tagKey = (tag: RawBuilder<unknown>) => sql`lower(${tag} collate "und-x-icu")`
