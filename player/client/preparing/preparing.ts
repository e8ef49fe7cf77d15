import type { PreparingVideo } from '../playback/preparing-video.ts'
import type { Outcome, PublishedRungs } from '../playback/session.ts'
import type { PlayerContext } from '../player-context.ts'
import { estimateOf } from './estimate.ts'
import { followSeeks, type SeekFollower } from './follow-seeks.ts'
import { createGrowingList } from './growing-list.ts'
import { neededPlace, placeOf, waitOf, type PreparingState } from './preparing-state.ts'
import { keepPace } from './reading-pace.ts'
import { showReadyParts } from './ready-bar.ts'
import { createSettler } from './settle-video.ts'
import { createWaitingView } from './waiting-view.ts'

/** How often at most a viewer who plays reads what has been published. */
const PLAYING_MS = 5_000
/** A video that plays at once shows no waiting. */
const SHOWN_AFTER_MS = 500
/** The estimate counts down. */
const UPDATE_MS = 1_000
/** When the viewer may begin or cease to wait. */
const EVENTS = ['seeking', 'seeked', 'play', 'pause', 'playing', 'ended', 'timeupdate']

/**
 * Waits for a video, and plays it while it is encoded (ADR 0043). It reads what plays until the video is playable, which
 * tells the server where the viewer waits or plays.
 */
export function prepareVideo(context: PlayerContext, startSeconds: number): PreparingVideo {
  const { data, video, session, problems } = context
  const state = newState(startSeconds)
  const wait = followWait(state, context, () => pace.now())
  const first = createLoading()
  const settle = createSettler(state, context, {
    onLoaded: () => first.resolve(true),
    onFailed: first.reject,
    onChange() {
      seeks?.catchUp()
      wait.update()
    },
  })
  let seeks: SeekFollower | null = null
  let sentPlace = startSeconds
  const place = (): number => (sentPlace = (wait.isOn() ? neededPlace : placeOf)(state, video))
  const onPublished = (published: PublishedRungs): void => {
    state.published = published
    state.estimate = estimateOf(published.preparation, sentPlace, performance.now())
    showReadyParts(published.preparation, video)
    void settle().then(wait.show)
  }
  // Until the video is loaded, nothing of it is watched.
  const unwatched = { watched_seconds: 0, bytes_loaded: 0, is_waiting: true }
  session.start({
    progress: () => ({ position_seconds: place(), ...unwatched }),
    onRenditions: onPublished,
    onEnded(code) {
      session.end()
      problems.show(code)
    },
  })
  const nextMs = (outcome: Outcome): number | null => {
    if (state.published?.preparation === null) return null
    return Math.max(session.nextReadMs(outcome), wait.isOn() ? 0 : PLAYING_MS)
  }
  const pace = keepPace(
    () => session.read(place()),
    nextMs,
    () => first.resolve(false),
  )
  addEventListener('online', pace.now)
  addEventListener('pagehide', () => session.leave())
  return {
    place,
    onPublished,
    load(engine) {
      state.loader = { engine, list: createGrowingList(engine, video, data.manifestUrl) }
      engine.player.addEventListener('buffering', wait.update)
      seeks = followSeeks(state, context, { settle, isWaiting: wait.isOn, beat: pace.now })
      rememberWish(state, context)
      void settle()
      return first.promise
    },
  }
}

const newState = (startSeconds: number): PreparingState => ({
  published: null,
  estimate: estimateOf(null, startSeconds, 0),
  wanted: startSeconds,
  loader: null,
  isLoading: false,
  isHalted: false,
})

/** The first load, which others wait for. */
function createLoading() {
  let resolve = (_isLoaded: boolean): void => undefined
  let reject = (_error: unknown): void => undefined
  const promise = new Promise<boolean>((onLoaded, onFailed) => {
    resolve = onLoaded
    reject = onFailed
  })
  return { promise, resolve, reject }
}

/** Shows what the viewer waits for, whenever that may have changed. Calls `onWait` when the viewer begins to wait. */
function followWait(state: PreparingState, context: PlayerContext, onWait: () => void) {
  const { video, problems } = context
  const view = createWaitingView(context)
  let isShown = false
  let isOn = true
  const update = (): void => {
    // What is shown stays until the load has ended.
    if (state.isLoading && !state.isHalted) return
    const wait = waitOf(state, video, performance.now())
    if (isShown) view.show(wait)
    if (wait && !isOn) onWait()
    isOn = wait !== null
  }
  const show = (): void => {
    isShown = true
    update()
  }
  problems.follow((code) => {
    state.isHalted = code !== null && code !== 'network'
    update()
  })
  for (const event of EVENTS) video.addEventListener(event, update)
  setTimeout(show, SHOWN_AFTER_MS)
  setInterval(update, UPDATE_MS)
  return { update, show, isOn: () => isOn }
}

/** Follows whether the viewer, or the page around the player, wants a video to play that is not loaded. */
function rememberWish(state: PreparingState, context: PlayerContext): void {
  const { video } = context
  const follow = (): void => {
    if (!state.loader?.list.isLoaded()) context.playRequested = !video.paused
  }
  video.addEventListener('play', follow)
  video.addEventListener('pause', follow)
  // Shows the wish, which attaching Shaka Player has undone. A browser may refuse to play by itself.
  if (context.playRequested)
    void video.play().catch(({ name }: Error) => {
      if (name === 'NotAllowedError') context.playRequested = false
    })
}
