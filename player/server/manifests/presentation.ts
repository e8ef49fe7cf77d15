import type { Protection } from '../../../domain/plan.ts'
import type { Rendition, TrackType, DrmSystem } from '../../../domain/rendition.ts'
import { PlayerError } from '../player-error.ts'

/** A key as manifests name it: by its id, never by its value. */
export interface ManifestKey {
  /** 32 hex characters. */
  keyIdHex: string
  systems: DrmSystem[]
}

/** All that the manifests of one video are made of. */
export interface Presentation {
  videoId: string
  /** Of the video: it decides the scheme and the systems that manifests name. */
  protection: Protection
  renditions: Rendition[]
  keys: ReadonlyMap<TrackType, ManifestKey>
  /** Base of the segments' addresses, without a slash at the end. */
  mediaBase: string
  /** Base of playlists and licences. */
  embedBase: string
}

/**
 * The key that encrypts a rendition. Throws where the records do not fit together: without a key, or
 * where a Multi-DRM key has no signalling, since it must never be announced as a ClearKey key.
 */
export function keyOf(
  { keys, protection }: Presentation,
  { trackType, name }: Rendition,
): ManifestKey {
  const key = keys.get(trackType)
  if (!key) throw new Error(`rendition ${name} has no key`)
  if (protection === 'multi-drm' && key.systems.length === 0) throw signallingMissing()
  return key
}

/** What a manifest ends with whose keys no DRM system could find. */
export const signallingMissing = (): PlayerError =>
  new PlayerError(
    500,
    'drm_signalling_missing',
    'The keys of this video carry no DRM signalling; it has to be created again.',
  )

export const segmentBase = ({ mediaBase, videoId }: Presentation, { name }: Rendition): string =>
  `${mediaBase}/media/${videoId}/${name}`

/** Video rungs from low to high. */
export const rungsOf = ({ renditions }: Presentation): Rendition[] =>
  renditions.filter(({ kind }) => kind === 'video').sort((a, b) => a.bandwidthBps - b.bandwidthBps)

/** Audio tracks in the source's order; the first is the default. */
export const audioOf = ({ renditions }: Presentation): Rendition[] =>
  renditions
    .filter(({ kind }) => kind === 'audio')
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
