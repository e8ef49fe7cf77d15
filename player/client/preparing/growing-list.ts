import { joinNewRungs } from '../playback/join-new-rungs.ts'
import type { Engine } from '../playback/engine.ts'
import type { PublishedRungs } from '../playback/session.ts'
import { isListFor, listStartFor, partAt } from './ready-parts.ts'

/** Which list of segments of a growing film is loaded, and when another one has to be. */
export interface GrowingList {
  isLoaded(): boolean
  /** Where the loaded list begins, in seconds. */
  start(): number
  /**
   * Loads what a place needs, by what is published now: the list that contains it, or nothing. Rejects with an error
   * of Shaka Player.
   */
  settle(published: PublishedRungs, place: number): Promise<Change>
  /** True if a place needs another list than the loaded one. */
  isOutside(published: PublishedRungs, place: number): boolean
}

/** What `settle` has done. */
export type Change = 'loaded' | 'moved' | 'unloaded' | null

/** Where a list begins, in seconds: 0 for the whole film. */
type Start = number

/** Shaka Player's configuration for manifests that grow (ADR 0043). */
const CONFIGURATION = {
  manifest: {
    // The planned clock of such a manifest is exact, and its time has nothing to do with the viewer's.
    dash: { autoCorrectDrift: false },
    retryParameters: { maxAttempts: 2, baseDelay: 500, timeout: 10_000 },
  },
}

/** Creates the lists of a film. Play state and rate survive each load but the first, and that after `unloaded`. */
export function createGrowingList(
  engine: Engine,
  video: HTMLVideoElement,
  manifestUrl: string,
): GrowingList {
  engine.player.configure(CONFIGURATION)
  const lists = createLists(engine, manifestUrl)
  let knownRenditions: number | null = null
  let join: ReturnType<typeof joinNewRungs> | null = null
  const isOutside = ({ preparation }: PublishedRungs, place: number): boolean => {
    const from = lists.from()
    if (from === null) return true
    return preparation === null ? from > place : !isListFor(preparation.ready, from, place)
  }
  const settleWhole = async (published: PublishedRungs, place: number): Promise<Change> => {
    knownRenditions ??= published.count
    if (lists.from() === null) return lists.load(place, null)
    if (isOutside(published, place)) return lists.move(place, null)
    join ??= joinNewRungs(lists.wholeFilm, video, knownRenditions)
    join(published)
    return null
  }
  video.addEventListener('pause', () => {
    if (join && lists.from()) void lists.wholeFilm.reload().catch(() => undefined)
  })
  return {
    isLoaded: () => lists.from() !== null,
    start: () => lists.from() ?? 0,
    isOutside,
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

/** Loads lists, and knows which one is loaded. A start of null means the ordinary manifest, of the whole film. */
function createLists(engine: Engine, manifestUrl: string) {
  let from: Start | null = null
  let joining: Promise<void> | null = null
  const addressOf = (start: Start | null): string | undefined =>
    start === null ? undefined : `${manifestUrl}?from=${start}`
  return {
    from: () => from,
    async load(place: number, start: Start | null): Promise<Change> {
      await engine.load(place, addressOf(start))
      from = start ?? 0
      return 'loaded'
    },
    async move(place: number, start: Start | null): Promise<Change> {
      try {
        await engine.reload(addressOf(start), place)
      } catch (error) {
        if (engine.player.getManifest() === null) from = null
        throw error
      }
      from = start ?? 0
      return 'moved'
    },
    async unload(): Promise<Change> {
      from = null
      await engine.player.unload()
      return 'unloaded'
    },
    wholeFilm: {
      ...engine,
      reload() {
        joining ??= engine
          .reload()
          .then(() => void (from = 0))
          .finally(() => (joining = null))
        return joining
      },
    },
  }
}
