import { sql } from 'kysely'
import { partPrefix } from '../../domain/videos/media-paths.ts'
import type { ObjectOwner } from '../../domain/videos/unused-objects.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

interface PublishedPart {
  name: string
  token: string
}

/**
 * What says which objects of these videos are needed, by the id of the video; those of deleted videos until their row is
 * deleted. In one statement, so that a video has one state.
 */
export async function findObjectOwners(
  em: EntityManager,
  ids: string[],
): Promise<Map<string, ObjectOwner>> {
  if (ids.length === 0) return new Map()
  const rows = await queries(em)
    .selectFrom('video as v')
    .select(['v.id', 'v.status', 'v.keepOriginal as keepsSource'])
    .select([
      sql<boolean>`v.deleted_at is not null`.as('isDeleted'),
      sql<PublishedPart[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('name', r.name, 'token', p.part->>'token')), '[]')
        from rendition r, jsonb_array_elements(r.facts->'parts') p (part) where r.video_id = v.id)`.as(
        'parts',
      ),
    ])
    .where('v.id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ id, parts, ...owner }) => {
      const partPrefixes = new Set(parts.map(({ name, token }) => partPrefix(id, name, token)))
      return [id, { ...owner, partPrefixes }]
    }),
  )
}
