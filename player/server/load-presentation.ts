import { findContentKeys, findProtection, findRenditions } from '../../db/playback.ts'
import type { TrackType } from '../../domain/rendition.ts'
import type { PlayerDeps } from './deps.ts'
import type { ManifestKey, Presentation } from './manifests/presentation.ts'

/** The presentation of a video that plays; null where it was deleted or does not play (yet). */
export async function loadPresentation(
  { db, embedBase, mediaBase }: PlayerDeps,
  videoId: string,
): Promise<Presentation | null> {
  const [rows, keyRows, protection] = await Promise.all([
    findRenditions(db.em.fork(), videoId),
    findContentKeys(db.em.fork(), videoId),
    findProtection(db.em.fork(), videoId),
  ])
  const renditions = rows.map(({ facts }) => facts)
  if (protection === null || !renditions.some(({ kind }) => kind === 'video')) return null
  const keys = new Map<TrackType, ManifestKey>(
    keyRows.map((row) => [row.trackType, { keyIdHex: row.keyId, systems: row.systems }]),
  )
  return { videoId, protection, renditions, keys, mediaBase, embedBase }
}
