import type { PlayerSettings } from '../domain/player-settings.ts'

/** What the server tells the script in the page; it is the viewer's to read, so no key and no secret. */
export interface PlayerData {
  videoId: string
  session: string
  sessionHeader: string
  manifestUrl: string
  /** Of the ClearKey licences; null where the video is not protected by ClearKey. */
  licenceUrl: string | null
  heartbeatUrl: string
  extrasUrl: string
  incidentsUrl: string
  shakaUrl: string
  controlsUrl: string
  wordsUrl: string
  /** How many renditions the manifest has now. */
  renditions: number
  isComplete: boolean
  /** Where the verified viewer left this video, in whole seconds; null where it begins anew. */
  resumeSeconds: number | null
  /** How long ago the verified viewer was there; null where the server knows of no position. */
  resumeAgeMs: number | null
  /** Names the verified viewer in this browser's memory; null without a viewer token. */
  viewerKey: string | null
  /** The verified viewer id as it is displayed (`domain/viewer-id.ts`); null where none is shown. */
  watermark: { text: string; opacity: number; size: PlayerSettings['watermark']['size'] } | null
  colors: PlayerSettings['colors']
  subtitles: PlayerSettings['subtitles']
}

/** What is shown beside the film and not needed for its first frame. */
export interface PlayerExtras {
  captions: { language_code: string; label: string; url: string }[]
  chapters: { title: string; start: number; end: number }[]
  moments: { label: string; timestamp: number }[]
  storyboard: { index_url: string; image_url: string } | null
}
