import type { PlayerSettings } from '../domain/player-settings.ts'

/** What the server tells the script in the page; it is the viewer's to read, so no key and no secret. */
export interface PlayerData {
  session: string
  sessionHeader: string
  manifestUrl: string
  licenceUrl: string
  heartbeatUrl: string
  shakaUrl: string
  /** How many renditions the manifest has now. */
  renditions: number
  isComplete: boolean
  /** Where the verified viewer left this video, in whole seconds; null where it begins anew. */
  resumeSeconds: number | null
  /** The verified viewer id; null where none is shown. */
  watermark: { text: string; opacity: number; size: PlayerSettings['watermark']['size'] } | null
  colors: PlayerSettings['colors']
}
