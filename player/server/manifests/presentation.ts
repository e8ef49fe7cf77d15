import type { Protection } from '../../../domain/plan.ts'
import type { Rendition, TrackType } from '../../../domain/rendition.ts'
import type { DrmSystem } from '../../../domain/drm-system.ts'
import { paths } from '../paths.ts'
import { PlayerError } from '../player-error.ts'

/** A key as manifests name it: by its id. Manifests never contain key values. */
export interface ManifestKey {
  /** 32 hex characters. */
  keyIdHex: string
  systems: DrmSystem[]
}

/** The input of a video's manifests. */
export interface Presentation {
  videoId: string
  /** Decides the encryption scheme and the DRM systems in the manifests. */
  protection: Protection
  renditions: Rendition[]
  keys: ReadonlyMap<TrackType, ManifestKey>
  /** Base of segment addresses, without a trailing slash. */
  mediaBase: string
  /** Base of playlist and licence addresses. */
  embedBase: string
}

/**
 * Returns the key that encrypts a rendition. Throws if the rendition has no key, or if the key of a
 * Multi-DRM video has no signalling: it must never be announced as a ClearKey key.
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

/** The error of a manifest whose keys no DRM system could find. */
export const signallingMissing = (): PlayerError =>
  new PlayerError(
    500,
    'drm_signalling_missing',
    'The keys of this video have no DRM signalling. Create the video again.',
  )

/** Returns the address of a rendition's folder of segments, without a trailing slash. */
export const segmentBase = ({ mediaBase, videoId }: Presentation, { name }: Rendition): string =>
  mediaBase + paths.rendition(videoId, name)

/** Returns the video renditions, lowest bit rate first. */
export const rungsOf = ({ renditions }: Presentation): Rendition[] =>
  renditions.filter(({ kind }) => kind === 'video').sort((a, b) => a.bandwidthBps - b.bandwidthBps)

/** Returns the audio tracks in the order of the source; the first is the default. */
export const audioOf = ({ renditions }: Presentation): Rendition[] =>
  renditions
    .filter(({ kind }) => kind === 'audio')
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
