import type { DrmSystemName } from '../domain/drm/drm-system.ts'
import type { OutputProtection } from '../domain/drm/licence-policy.ts'
import type { PlayerSettings } from '../domain/settings/player-settings.ts'

/** JSON in the player page, for its script. The viewer can read it: it holds no key and no secret. */
export interface PlayerData {
  videoId: string
  /** Session token. */
  session: string
  /** Names the session in the account's records, for support. */
  sessionId: string
  /** An address for viewers that accepts the option `start`; null if there is none. */
  linkUrl: string | null
  /** Name of the header that carries the session token. */
  sessionHeader: string
  manifestUrl: string
  /** ClearKey licence endpoint; null if the video is not protected by ClearKey. */
  licenceUrl: string | null
  /** Null unless the video is protected by Multi-DRM. */
  drm: PlayerDrm | null
  heartbeatUrl: string
  /** Says what plays of a video that is being prepared. */
  preparationUrl: string
  extrasUrl: string
  incidentsUrl: string
  /** Takes the reports of what the player shows to the viewer as a problem. */
  failuresUrl: string
  /** When the page was sent, by the clock of the server. */
  sentAtMs: number
  shakaUrl: string
  /** The beginning of the addresses of segments whose requests say how playback is (CMCD), a CDN's; null: none do. */
  cmcdBase: string | null
  /** The module of the controls, then those that it imports: so all load at the same time. */
  controlsUrls: string[]
  wordsUrl: string
  /** Number of renditions in the manifest at this moment. */
  renditions: number
  /** True if no more renditions will be published. */
  isComplete: boolean
  /** True if the video was not playable when the page was sent: it waits, and plays what is published meanwhile. */
  isPreparing: boolean
  /** The client's module for videos that are still being prepared: other pages do not load it. */
  preparingUrl: string
  /** Where the verified viewer left this video, in whole seconds; null to start from the beginning. */
  resumeSeconds: number | null
  /** Age of the stored position; null if the server has none for this viewer. */
  resumeAgeMs: number | null
  /** Identifies the verified viewer in this browser's storage; null without a viewer token. */
  viewerKey: string | null
  /** The displayed form of the viewer id (`domain/playback/viewer-id.ts`); null without a watermark. */
  watermark: { text: string; opacity: number; size: PlayerSettings['watermark']['size'] } | null
  colors: PlayerSettings['colors']
  subtitles: PlayerSettings['subtitles']
  end: PlayerSettings['end_screen']
}

/** What the player of a Multi-DRM video needs. */
export interface PlayerDrm {
  /** The client's module for DRM, and its words: other pages load neither. */
  moduleUrl: string
  wordsUrl: string
  /** The HLS master playlist, if Safari plays it instead of the DASH manifest; needs no header. Otherwise null. */
  fairplayHlsUrl: string | null
  servers: Record<DrmSystemName, { licenceUrl: string; certificateUrl: string | null }>
  /** The licence policy, as far as the page explains it. The licences enforce it. */
  hdNeedsHardware: boolean
  uhdNeedsHardware: boolean
  outputProtection: OutputProtection
  /** Null: licences are not renewed. */
  renewalSeconds: number | null
  /**
   * App-Only mode: the page to load instead if this browser has no hardware protection. Null: software plays
   * too, where the licences allow it.
   */
  noHardwareUrl: string | null
}

/** What plays of a video whose first rung is not complete. Times are seconds. */
export interface Preparation {
  /** The parts of the video that play, in its order. */
  ready: [start: number, end: number][]
  /** Of the video, as its source states it; null while that is not known. */
  duration: number | null
  /** An estimate until the part at the viewer's position plays: 0 if it does, null without a basis. */
  seconds_left: number | null
  /** The number of renditions that play meanwhile: the first rung and the audio tracks. */
  renditions: number
}

/** What the player shows besides the video. The first frame does not need it. */
export interface PlayerExtras {
  captions: { language_code: string; label: string; url: string }[]
  chapters: { title: string; start: number; end: number }[]
  moments: { label: string; timestamp: number }[]
  storyboard: { index_url: string; image_url: string } | null
}

/**
 * Ids of the elements that the server writes into the player page and the client looks up. A type, so
 * that a misspelt id does not compile and the client's bundles do not grow.
 */
export type ElementId =
  | 'player'
  /** The JSON of `PlayerData`. */
  | 'player-data'
  /** Live region for screen readers. */
  | 'live'
  | 'help'
  /** Shows briefly what a key or a touch did. */
  | 'bubble'
  /** An icon of what a click or a key just did. */
  | 'flash'
  /** Text about buffering. */
  | 'waiting'
  /** Error message over the picture. */
  | 'message'
  /** Markers on the seek bar. */
  | 'moments'
  /** Title of the current chapter. */
  | 'chapter'
  /** Opens the help sheet from the settings menu. */
  | 'keyboard-item'
  /** Opens the context menu from the settings menu. */
  | 'more-item'
  | MenuId

/** Submenus of the settings that the client fills. */
export type MenuId =
  'quality-menu' | 'captions-menu' | 'audio-menu' | 'chapters-menu' | 'moments-menu'
