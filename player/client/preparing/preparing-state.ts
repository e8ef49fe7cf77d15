import type { Engine } from '../playback/engine.ts'
import type { PublishedRungs } from '../playback/session.ts'
import { secondsLeft, type Estimate } from './estimate.ts'
import type { GrowingList } from './growing-list.ts'
import { isReadyFor, partAt } from './ready-parts.ts'

/** A video that is waited for, or played while it is encoded. */
export interface PreparingState {
  /** The last response of the server; null before the first. */
  published: PublishedRungs | null
  estimate: Estimate
  /** Where the viewer wants to be, in seconds, while the video is not there; otherwise null. */
  wanted: number | null
  /** Null until Shaka Player is there. */
  loader: { engine: Engine; list: GrowingList } | null
  /** True while a list is being loaded. */
  isLoading: boolean
  /** True while a message says why nothing plays. */
  isHalted: boolean
}

/** What the viewer waits for: that the video starts, or that the part where the playhead stands is there. */
export interface Wait {
  for: 'start' | 'part'
  /** An estimate, or null. */
  seconds: number | null
}

/** Shaka Player waits until so much is buffered. */
const BUFFERED_SECONDS = 1.5

/** Where the viewer is, or wants to be, in seconds. */
export function placeOf({ wanted, loader }: PreparingState, video: HTMLVideoElement): number {
  if (wanted === null) return video.currentTime
  // Before the video has loaded, a position can be set for its start.
  return (!loader?.list.isLoaded() && video.currentTime) || wanted
}

/** Where the part that a waiting viewer needs begins: a playhead stands a little before the end of what plays. */
export function neededPlace(state: PreparingState, video: HTMLVideoElement): number {
  const place = placeOf(state, video)
  const [, end = 0] = partAt(state.published?.preparation?.ready ?? [], place) ?? []
  return Math.max(place, end - place < BUFFERED_SECONDS ? end : 0)
}

/** Returns what the viewer waits for; null if nothing, or only for the connection. */
export function waitOf(state: PreparingState, video: HTMLVideoElement, nowMs: number): Wait | null {
  if (state.isHalted) return null
  const place = placeOf(state, video)
  const seconds = secondsLeft(state.estimate, place, nowMs)
  if (!state.loader?.list.isLoaded()) return { for: 'start', seconds }
  return lacksPart(state, video, place) ? { for: 'part', seconds } : null
}

/** True if the playhead stands, and what it needs next is not published. */
function lacksPart(
  { published, loader }: PreparingState,
  video: HTMLVideoElement,
  place: number,
): boolean {
  const preparation = published?.preparation
  if (!preparation || video.ended) return false
  const isStanding = video.paused || video.seeking || loader?.engine.player.isBuffering()
  if (!isStanding || hasBuffered(video, place)) return false
  const duration = video.duration || Infinity
  const seconds = BUFFERED_SECONDS
  if (!isReadyFor(preparation.ready, place, { seconds, duration })) return true
  // What has just been published is not in the list yet.
  return place + seconds < duration && loader?.list.endsBefore(place + seconds) === true
}

/** The last response may be some seconds old: what is buffered plays. */
function hasBuffered({ buffered, paused }: HTMLVideoElement, place: number): boolean {
  const ahead = paused ? 0 : BUFFERED_SECONDS
  for (let index = 0; index < buffered.length; index++)
    if (buffered.start(index) <= place && place + ahead < buffered.end(index)) return true
  return false
}
