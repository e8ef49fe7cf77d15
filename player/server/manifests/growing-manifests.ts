import { LRUCache } from 'lru-cache'
import type { GrowingTracks } from '../../../domain/playback/growing-video.ts'
import type { Rendition } from '../../../domain/videos/rendition.ts'
import type { GrowingVideos } from '../growing/growing-videos.ts'
import { PlayerError } from '../player-error.ts'
import { dashMpd } from './dash.ts'
import { listFrom } from './list-from.ts'
import { mergeKeyBoxes } from './merge-key-boxes.ts'
import type { Presentation } from './presentation.ts'

/** Each player asks again every two seconds. */
const KEPT_MS = 1_000
const MANIFESTS_MAX = 100

/** The manifests of videos that grow. */
export interface GrowingManifests {
  /**
   * Resolves to what is published of the first rung and the audio of a video, from `fromMs` to the next gap. Throws 404
   * `not_watchable` while that place does not play.
   */
  find: (videoId: string, fromMs: number) => Promise<string>
}

/** A manifest is written once a second at most, and when something is published. */
export function createGrowingManifests(
  videos: GrowingVideos,
  describe: (videoId: string, renditions: Rendition[]) => Promise<Presentation>,
): GrowingManifests {
  const manifests = new LRUCache<string, { tracks: GrowingTracks; mpd: Promise<string> }>({
    max: MANIFESTS_MAX,
    ttl: KEPT_MS,
  })
  const write = async (videoId: string, tracks: GrowingTracks, fromMs: number): Promise<string> => {
    const listed = listFrom(tracks, fromMs)
    if (!listed) throw notWatchable()
    const presentation = await describe(videoId, listed.renditions)
    return dashMpd(mergeKeyBoxes({ ...presentation, growth: listed.growth }))
  }
  return {
    async find(videoId, fromMs) {
      const tracks = (await videos.find(videoId))?.tracks
      if (!tracks) throw notWatchable()
      const key = `${videoId} ${fromMs}`
      const known = manifests.get(key)
      if (known?.tracks === tracks) return known.mpd
      const mpd = write(videoId, tracks, fromMs)
      manifests.set(key, { tracks, mpd })
      mpd.catch(() => manifests.delete(key))
      return mpd
    },
  }
}

const notWatchable = (): PlayerError =>
  new PlayerError(404, 'not_watchable', 'This part of the video does not play yet.')
