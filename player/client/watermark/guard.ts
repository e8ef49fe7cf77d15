import { plain } from './built-ins.ts'
import {
  append,
  callAfter,
  captureBuiltIns,
  createObserver,
  disconnectMutations,
  exitPictureInPicture,
  fullScreenElement,
  intersect,
  isFrameHidden,
  isPaused,
  listen,
  now,
  observeMutations,
  pauseMedia,
  randomFraction,
  remove,
  rootElement,
  takeMutationRecords,
  windowBox,
  type Box,
} from './dom.ts'
import { inspect, type PageElements, type Tampering } from './inspect.ts'
import { pictureOf } from './picture.ts'
import {
  createWatermark,
  moveToRandomPlace,
  positionInPicture,
  raiseToTop,
  type Watermark,
  type WatermarkSettings,
} from './watermark.ts'

const CHECK_MS = { min: 500, max: 1_500 }
const MOVE_MS = { min: 3_000, max: 7_000 }
/** A violation longer ago than this no longer counts. */
const FORGOTTEN_AFTER_MS = 60_000

/** What the guard does to the playback. */
interface Reactions {
  /** Playback was paused, because the watermark was lost again after a repair. */
  onPaused(this: void): void
  /** The watermark was lost again after that; the guard has stopped. */
  onTampered(this: void, how: Tampering): void
}

/** The guard of a video that plays. */
export interface Guard {
  /** Inspects the page now. Loading a part of the video calls it, so that no script can silence the guard. */
  check(this: void): void
  /** Moves the watermark above all other elements of the top layer, such as a dialog of the player. */
  raise(this: void): void
}

/**
 * Shows the verified viewer id over the picture, at changing places, inside the container that goes
 * full screen. A mutation observer and checks at random times inspect what is painted and repair it. A violation
 * that comes back within a minute pauses the video, and ends it if it comes back again. Throws if the browser's
 * built-ins cannot be captured.
 */
export function guardWatermark(
  { container, video }: Pick<PageElements, 'container' | 'video'>,
  settings: WatermarkSettings,
  { onPaused, onTampered }: Reactions,
): Guard {
  captureBuiltIns()
  const elements: PageElements = { container, video, page: rootElement(document) }
  const violations = countViolations(video)
  let watermark = createWatermark(settings)
  let hasEnded = false
  let fullScreen: Element | null = null
  const observer = createObserver(() => check())
  const repair = (how: Tampering): void => {
    const verdict = violations.add()
    if (how === 'picture_in_picture') void leavePictureInPicture()
    remove(watermark.host)
    watermark = createWatermark(settings)
    attach(watermark, elements, observer)
    if (verdict === 'forgiven') return
    pauseMedia(video)
    if (verdict === 'paused') return onPaused()
    hasEnded = true
    disconnectMutations(observer)
    onTampered(how)
  }
  const check = (): void => {
    // While its frame is hidden, the page shows no video either.
    if (hasEnded || isFrameHidden()) return
    const picture = visiblePicture(video)
    // An element that goes full screen enters the top layer above the watermark.
    if (fullScreen !== fullScreenElement(document)) raiseToTop(watermark)
    fullScreen = fullScreenElement(document)
    positionInPicture(watermark, picture)
    const how = judge(watermark, elements, picture)
    takeMutationRecords(observer)
    if (how) repair(how)
  }
  const move = () => !hasEnded && moveToRandomPlace(watermark, visiblePicture(video))
  attach(watermark, elements, observer)
  checkAtRandomTimes(video, check, move)
  checkAtChanges(video, check)
  return { check, raise: () => raiseToTop(watermark) }
}

type Verdict = 'forgiven' | 'paused' | 'tampered'

/**
 * Counts violations: the first within a minute may be an accident, the second pauses the video, and another one
 * while it plays is tampering.
 */
function countViolations(video: HTMLVideoElement): { add(): Verdict } {
  let last = -FORGOTTEN_AFTER_MS
  let verdict: Verdict = 'forgiven'
  return {
    add() {
      if (now() - last >= FORGOTTEN_AFTER_MS) verdict = 'forgiven'
      else if (verdict === 'forgiven') verdict = 'paused'
      else if (!isPaused(video)) verdict = 'tampered'
      last = now()
      return verdict
    },
  }
}

/** What cannot be judged is not in order. */
function judge(watermark: Watermark, elements: PageElements, picture: Box): Tampering | null {
  try {
    return inspect(watermark, elements, picture)
  } catch {
    return 'moved'
  }
}

/** Adds the watermark to the page and observes it. Ignores the mutations that this causes. */
function attach(
  watermark: Watermark,
  { container, video }: PageElements,
  observer: MutationObserver,
): void {
  append(container, watermark.host)
  disconnectMutations(observer)
  observeMutations(observer, container, plain({ childList: true }))
  observeMutations(observer, watermark.host, plain({ attributes: true }))
  moveToRandomPlace(watermark, visiblePicture(video))
  takeMutationRecords(observer)
}

async function leavePictureInPicture(): Promise<void> {
  try {
    await exitPictureInPicture(document)
  } catch {
    // It has already ended.
  }
}

/** Returns the visible part of the picture. */
function visiblePicture(video: HTMLVideoElement): Box {
  const picture = pictureOf(video)
  return picture ? intersect(picture, windowBox()) : { x: 0, y: 0, width: 0, height: 0 }
}

/** Checks and moves at random times. Driven by tasks and by the video's own `timeupdate`. */
function checkAtRandomTimes(video: HTMLVideoElement, check: () => void, move: () => void): void {
  let checkAt = 0
  let moveAt = now() + randomBetween(MOVE_MS)
  const runIfDue = (): void => {
    if (now() < checkAt) return
    checkAt = now() + randomBetween(CHECK_MS)
    check()
    if (now() < moveAt) return
    moveAt = now() + randomBetween(MOVE_MS)
    move()
  }
  const tick = (): void => {
    callAfter(randomBetween(CHECK_MS), tick)
    runIfDue()
  }
  tick()
  listen(video, 'timeupdate', runIfDue)
}

/** Checks when the picture changes its size or its place. */
function checkAtChanges(video: HTMLVideoElement, check: () => void): void {
  listen(window, 'resize', check)
  listen(video, 'resize', check)
  listen(video, 'enterpictureinpicture', check)
  listen(document, 'fullscreenchange', check)
}

const randomBetween = ({ min, max }: { min: number; max: number }): number =>
  min + randomFraction() * (max - min)
