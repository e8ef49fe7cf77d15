import type { Engine } from '../playback/engine.ts'
import { joinNewRungs } from '../playback/join-new-rungs.ts'
import type { PublishedRungs } from '../playback/session.ts'
import { keepSegments } from './keep-segments.ts'
import { isListFor, listStartFor, partAt } from './ready-parts.ts'

/** Which list of segments of a growing video is loaded, and when another one has to be. */
export interface GrowingList {
  isLoaded(): boolean
  /**
   * Loads what a place needs, by what is published now: the list that contains it, or nothing. Rejects with an error
   * of Shaka Player.
   */
  settle(published: PublishedRungs, place: number): Promise<Change>
  /** True if a place needs another list than the loaded one. */
  isOutside(published: PublishedRungs, place: number): boolean
  /** True if the last segment of the loaded list, as it is now, ends before a place. */
  endsBefore(place: number): boolean
  /** Lets the next `settle` load again: the viewer has left a place that has no data, where Shaka Player would stay. */
  leave(): void
  /** Keeps the playhead at a place before the list, from where Shaka Player would jump to its beginning. */
  hold(isOn: boolean): void
}

/** What `settle` has done. */
export type Change = 'loaded' | 'moved' | 'unloaded' | null

/** Where a list begins, in seconds: 0 for the whole video. */
type Start = number

/** Shaka Player's configuration for manifests that grow (ADR 0043). */
const CONFIGURATION = {
  manifest: {
    // The planned clock of such a manifest is exact, and its time has nothing to do with the viewer's.
    dash: { autoCorrectDrift: false },
    retryParameters: { maxAttempts: 2, baseDelay: 500, timeout: 10_000 },
  },
}

/** Shaka Player jumps no gap whose end, with this padding, lies behind the video. */
const NEVER = 1e9

/** Creates the lists of a video. Play state and rate survive each load but the first, and that after `unloaded`. */
export function createGrowingList(
  engine: Engine,
  video: HTMLVideoElement,
  manifestUrl: string,
): GrowingList {
  engine.player.configure(CONFIGURATION)
  keepSegments(engine.player)
  const lists = createLists(engine, manifestUrl)
  let knownRenditions: number | null = null
  let join: ReturnType<typeof joinNewRungs> | null = null
  const isOutside = ({ preparation }: PublishedRungs, place: number): boolean => {
    const from = lists.from()
    if (from === null || lists.isLeft()) return true
    return preparation === null ? from > place : !isListFor(preparation.ready, from, place)
  }
  const settleWhole = async (published: PublishedRungs, place: number): Promise<Change> => {
    knownRenditions ??= published.count
    if (lists.from() === null) return lists.load(place, null)
    if (isOutside(published, place)) return lists.move(place, null)
    join ??= joinNewRungs(lists.wholeVideo, video, knownRenditions)
    join(published)
    return null
  }
  video.addEventListener('pause', () => {
    // The pause before the end is no pause of the viewer.
    if (join && lists.from() && !video.ended) void lists.wholeVideo.reload().catch(() => undefined)
  })
  return {
    isLoaded: () => lists.from() !== null,
    hold: (isOn) => engine.player.configure({ streaming: { gapPadding: isOn ? NEVER : 0 } }),
    isOutside,
    endsBefore(place) {
      const timeline = engine.player.getManifest()?.presentationTimeline
      return timeline !== undefined && timeline.getMaxSegmentEndTime() < place
    },
    leave: lists.leave,
    async settle(published, place) {
      const { preparation } = published
      if (preparation === null) return settleWhole(published, place)
      knownRenditions = preparation.renditions
      if (lists.from() === null) {
        const part = partAt(preparation.ready, place)
        // Safari's own player has no list that grows.
        return part && !engine.drm?.hlsUrl ? lists.load(place, part[0]) : null
      }
      const start = listStartFor(preparation.ready, place)
      if (start === null) return lists.unload()
      return isOutside(published, place) ? lists.move(place, start) : null
    },
  }
}

/** Loads lists, and knows which one is loaded. A start of null means the ordinary manifest, of the whole video. */
function createLists(engine: Engine, manifestUrl: string) {
  let from: Start | null = null
  let isLeft = false
  let joining: Promise<boolean> | null = null
  const addressOf = (start: Start | null): string | undefined =>
    start === null ? undefined : `${manifestUrl}?from=${start}`
  const loaded = (start: Start | null): void => {
    from = start ?? 0
    isLeft = false
    // Otherwise a playhead before the list is moved to its beginning.
    engine.player.getManifest()?.presentationTimeline.notifyMinSegmentStartTime(0)
  }
  return {
    from: () => from,
    isLeft: () => isLeft,
    leave: () => void (isLeft = from !== null && joining === null),
    async load(place: number, start: Start | null): Promise<Change> {
      await engine.load(place, addressOf(start))
      loaded(start)
      return 'loaded'
    },
    async move(place: number, start: Start | null): Promise<Change> {
      try {
        if (!(await engine.reload(addressOf(start), place))) return null
      } catch (error) {
        if (engine.player.getManifest() === null) from = null
        throw error
      }
      loaded(start)
      return 'moved'
    },
    async unload(): Promise<Change> {
      from = null
      await engine.player.unload()
      return 'unloaded'
    },
    wholeVideo: {
      ...engine,
      reload() {
        joining ??= engine
          .reload()
          .then((isLoaded) => {
            if (isLoaded) from = 0
            return isLoaded
          })
          .finally(() => (joining = null))
        return joining
      },
    },
  }
}
