import type { Protection } from '../../../domain/accounts/plan.ts'
import type { DrmSystem, HlsKeyTag } from '../../../domain/drm/drm-system.ts'
import type { LicencePolicy } from '../../../domain/drm/licence-policy.ts'
import { purposeOfTitle, type AudioPurpose } from '../../../domain/encoding/audio-purpose.ts'
import { sourceLine, TRACK_TITLE_MAX_LENGTH } from '../../../domain/ingest/source-text.ts'
import type { Rendition, TrackType } from '../../../domain/videos/rendition.ts'
import { paths } from '../paths.ts'
import { PlayerError } from '../player-error.ts'

/** A key as manifests name it: by its id. Manifests never contain key values. */
export interface ManifestKey {
  /** 32 hex characters. */
  keyIdHex: string
  /** The tracks that it encrypts, of those that the video may have. */
  trackTypes: TrackType[]
  systems: DrmSystem[]
}

/** The signalling of one system with everything that both kinds of manifests need. */
export interface SignalledSystem extends DrmSystem {
  hlsMedia: HlsKeyTag
  hlsMaster: HlsKeyTag
}

/** The input of a video's manifests. */
export interface Presentation {
  videoId: string
  /** Decides the encryption scheme and the DRM systems in the manifests. */
  protection: Protection
  renditions: Rendition[]
  keys: ReadonlyMap<TrackType, ManifestKey>
  /** What the licences of a Multi-DRM video demand of outputs. */
  licencePolicy: LicencePolicy
  /** Base of segment addresses, without a trailing slash. */
  mediaBase: string
  /** Base of playlist and licence addresses. */
  embedBase: string
  /** Set for the manifest of a video that grows, or has grown since its player began. */
  growth?: Growth
}

/** How a manifest lists a video from some segment on. */
export interface Growth {
  /** The planned length while the video grows; null once it is complete. */
  plannedMs: number | null
  /** Where the list of each rendition begins, by its name. */
  starts: ReadonlyMap<string, ListStart>
}

export interface ListStart {
  /** Names the segments for good (`domain/playback/growing-video.ts`). */
  token: string
  firstSegment: number
  startTicks: number
}

/** Returns the key that encrypts a rendition. Throws if the rendition has no key. */
export function keyFor({ keys }: Presentation, { trackType, name }: Rendition): ManifestKey {
  const key = keys.get(trackType)
  if (!key) throw new Error(`rendition ${name} has no key`)
  return key
}

/**
 * Returns the signalling of a key of a Multi-DRM video. Throws 500 `drm_signalling_missing` if a part is missing,
 * as in key rows that were stored before signalling was complete.
 */
export function systemsOf({ systems }: ManifestKey): SignalledSystem[] {
  const signalled = systems.flatMap(({ hlsMedia, hlsMaster, ...system }) =>
    hlsMedia && hlsMaster ? [{ ...system, hlsMedia, hlsMaster }] : [],
  )
  if (signalled.length === 0 || signalled.length < systems.length) throw signallingMissing()
  return signalled
}

const signallingMissing = (): PlayerError =>
  new PlayerError(
    500,
    'drm_signalling_missing',
    'The keys of this video lack DRM signalling. Create the video again.',
  )

/** Returns the address of a rendition's folder of segments, without a trailing slash. */
export function segmentBase({ mediaBase, videoId, growth }: Presentation, { name }: Rendition) {
  const token = growth?.starts.get(name)?.token
  return (
    mediaBase +
    (token === undefined
      ? paths.rendition(videoId, name)
      : paths.growingRendition(videoId, name, token))
  )
}

/** Returns the video renditions, lowest bit rate first. */
export const rungsOf = ({ renditions }: Presentation): Rendition[] =>
  renditions.filter(({ kind }) => kind === 'video').sort((a, b) => a.bandwidthBps - b.bandwidthBps)

/** Returns the audio tracks in their order; the first is the main one. */
export const audioOf = ({ renditions }: Presentation): Rendition[] =>
  renditions
    .filter(({ kind }) => kind === 'audio')
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))

/**
 * Returns the title of an audio track; null if it has none. Titles that were stored before they were checked may contain
 * characters that XML does not allow.
 */
export const labelOf = ({ label }: Rendition): string | null =>
  sourceLine(label ?? '', TRACK_TITLE_MAX_LENGTH) || null

const PURPOSE_NAMES: Readonly<Record<AudioPurpose, string>> = {
  description: 'Audio description',
  commentary: 'Commentary',
  'clear-speech': 'Clear speech',
  dub: 'Dubbed',
}

/**
 * Returns the names of audio tracks for players with menus of their own: title or language, and what the track is for unless
 * the title says so. No two are the same (RFC 8216, section 4.3.4.1.1).
 */
export function audioNames(tracks: readonly Rendition[]): string[] {
  const used = new Set<string>()
  return tracks.map((track, index) => {
    const { language, purpose } = track
    const label = labelOf(track)
    const base = label ?? language ?? `Audio ${index + 1}`
    const isSaid = !purpose || (label !== null && purposeOfTitle(label) === purpose)
    const name = isSaid ? base : `${base} (${PURPOSE_NAMES[purpose]})`
    const unique = used.has(name) ? `${name} ${index + 1}` : name
    used.add(unique)
    return unique
  })
}
