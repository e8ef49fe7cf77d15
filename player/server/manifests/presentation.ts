import type { EncryptionScheme } from '../../../domain/plan.ts'
import type { Rendition, TrackType } from '../../../domain/rendition.ts'
import type { DrmSystem } from '../../../drm/key-provider.ts'

/** A key as manifests name it: by its id, never by its value. */
export interface ManifestKey {
  /** 32 hex characters. */
  keyIdHex: string
  systems: DrmSystem[]
}

/** All that the manifests of one video are made of. */
export interface Presentation {
  videoId: string
  scheme: EncryptionScheme
  renditions: Rendition[]
  keys: ReadonlyMap<TrackType, ManifestKey>
  /** Base of the segments' addresses, without a slash at the end. */
  mediaBase: string
  /** Base of playlists and licences. */
  embedBase: string
}

/** The key that encrypts a rendition; throws where the records do not fit together. */
export function keyOf({ keys }: Presentation, { trackType, name }: Rendition): ManifestKey {
  const key = keys.get(trackType)
  if (!key) throw new Error(`rendition ${name} has no key`)
  return key
}

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
