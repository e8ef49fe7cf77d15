import type { Obstacle } from '../drm/obstacles.ts'
import type { MessageCode } from '../problems.ts'
import type { ShakaPlayer } from './shaka.ts'

/** What playback of a Multi-DRM video adds; its code is in a module that other pages do not load. */
export interface DrmSupport {
  /** Shaka Player's `drm` configuration. */
  configuration: object
  /** The HLS master playlist, if this browser plays it instead of the DASH manifest; otherwise null. */
  hlsUrl: string | null
  /** Follows the licences of the player. */
  connect(player: ShakaPlayer): void
  /** Returns the message for an error that has to do with DRM, or null for any other. */
  problemOf(error: unknown): MessageCode | null
  /** Resolves to the rungs of the video that this device may not show, by name, with the reason. */
  obstacles(player: ShakaPlayer, video: HTMLVideoElement): Promise<Map<string, Obstacle>>
}
