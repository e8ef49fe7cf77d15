import { append, callAfter, disconnectMutations, exitPictureInPicture, find } from './dom.ts'
import { fullScreenElement, intersect, listen, MutationObserver, now } from './dom.ts'
import { observeMutations, observeSize, randomFraction, remove, ResizeObserver } from './dom.ts'
import { takeMutationRecords, windowBox } from './dom.ts'
import type { Box } from './dom.ts'
import { inspect } from './inspect.ts'
import type { PageElements, Tampering } from './inspect.ts'
import { pictureOf } from './picture.ts'
import { createWatermark, moveToRandomPlace, positionInPicture, raiseToTop } from './watermark.ts'
import type { Watermark, WatermarkSettings } from './watermark.ts'

const CHECK_MS = { min: 500, max: 1_500 }
const MOVE_MS = { min: 3_000, max: 7_000 }
/** A second repair within this time counts as tampering. The first may be an accident. */
const FORGIVEN_AFTER_MS = 60_000

/**
 * Shows the verified viewer id over the picture, at changing places, inside the container that goes
 * full screen. A mutation observer and checks at random times inspect what is painted and repair it.
 * Calls `onTampered` once, at the second repair within a minute, and then stops.
 */
export function guardWatermark(
  { container, video }: Pick<PageElements, 'container' | 'video'>,
  settings: WatermarkSettings,
  onTampered: (how: Tampering) => void,
): void {
  const elements: PageElements = { container, video, help: find(document, '#help') }
  let watermark = createWatermark(settings)
  let repairedAt = -FORGIVEN_AFTER_MS
  let hasEnded = false
  let fullScreen: Element | null = null
  const observer = new MutationObserver(() => check())
  const repair = (how: Tampering): void => {
    if (how === 'picture_in_picture') void leavePictureInPicture()
    remove(watermark.host)
    watermark = createWatermark(settings)
    attach(watermark, elements, observer)
    hasEnded = now() - repairedAt < FORGIVEN_AFTER_MS
    repairedAt = now()
    if (!hasEnded) return
    disconnectMutations(observer)
    onTampered(how)
  }
  const check = (): void => {
    // While its frame is hidden, the page shows no video either.
    if (hasEnded || windowBox().width === 0 || windowBox().height === 0) return
    const picture = visiblePicture(video)
    // An element that goes full screen enters the top layer above the watermark.
    if (fullScreen !== fullScreenElement(document)) raiseToTop(watermark)
    fullScreen = fullScreenElement(document)
    positionInPicture(watermark, picture)
    const how = inspect(watermark, elements, picture)
    takeMutationRecords(observer)
    if (how) repair(how)
  }
  const move = () => !hasEnded && moveToRandomPlace(watermark, visiblePicture(video))
  attach(watermark, elements, observer)
  checkAtRandomTimes(video, check, move)
  checkAtChanges(video, check)
}

/** Adds the watermark to the page and observes it. Ignores the mutations that this causes. */
function attach(
  watermark: Watermark,
  { container, video }: PageElements,
  observer: MutationObserver,
): void {
  append(container, watermark.host)
  disconnectMutations(observer)
  observeMutations(observer, container, { childList: true })
  observeMutations(observer, watermark.host, { attributes: true })
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

/** Checks and moves at random times. Driven by a timer and by the video's own `timeupdate`. */
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
  observeSize(new ResizeObserver(check), video)
  listen(video, 'resize', check)
  listen(video, 'enterpictureinpicture', check)
  listen(document, 'fullscreenchange', check)
}

const randomBetween = ({ min, max }: { min: number; max: number }): number =>
  min + randomFraction() * (max - min)
