import { inspect } from './inspect.ts'
import type { Scene, Tampering } from './inspect.ts'
import { makeMark, move, place, raise } from './watermark.ts'
import type { WatermarkLook } from './watermark.ts'
import { after, append, chance, endMutations, find, forgetMutations, inFullScreen } from './dom.ts'
import { leavePictureInPicture, listen, MutationObserver, now, observeMutations } from './dom.ts'
import { observeSize, remove, ResizeObserver, shared, windowBox } from './dom.ts'
import type { Box } from './dom.ts'
import { pictureOf } from './picture.ts'

const CHECK_MS = { least: 500, most: 1_500 }
const MOVE_MS = { least: 3_000, most: 7_000 }
/** Once is an accident; again, within this time, is a hand. */
const FORGIVEN_AFTER_MS = 60_000

/**
 * Shows the verified viewer id over the picture, moving about, inside the container that goes full
 * screen. An observer and a randomised poll of what is painted put it back; `onTampered` is called,
 * once, where that had to be done again.
 */
export function guardWatermark(
  { container, video }: Pick<Scene, 'container' | 'video'>,
  look: WatermarkLook,
  onTampered: (how: Tampering) => void,
): void {
  const scene = { container, video, help: find(document, '#help') }
  let mark = makeMark(look)
  let repairedAt = -FORGIVEN_AFTER_MS
  let isOver = false
  let fullScreen: Element | null = null
  const observer = new MutationObserver(() => check())
  const attach = (): void => {
    append(container, mark.host)
    endMutations(observer)
    observeMutations(observer, container, { childList: true })
    observeMutations(observer, mark.host, { attributes: true })
    move(mark, visiblePicture(video))
    forgetMutations(observer)
  }
  const repair = (how: Tampering): void => {
    if (how === 'picture_in_picture') void leave()
    remove(mark.host)
    mark = makeMark(look)
    attach()
    isOver = now() - repairedAt < FORGIVEN_AFTER_MS
    repairedAt = now()
    if (!isOver) return
    endMutations(observer)
    onTampered(how)
  }
  /** Goes where the picture is. Whatever goes full screen enters the top layer above it. */
  const follow = (): Box => {
    const picture = visiblePicture(video)
    if (fullScreen !== inFullScreen(document)) raise(mark)
    fullScreen = inFullScreen(document)
    place(mark, picture)
    return picture
  }
  const check = (): void => {
    // A frame that the site does not show at the moment shows no film either.
    if (isOver || windowBox().width === 0 || windowBox().height === 0) return
    const how = inspect(mark, scene, follow())
    forgetMutations(observer)
    if (how) repair(how)
  }
  attach()
  keepWatch(video, check, () => !isOver && move(mark, visiblePicture(video)))
  observeSize(new ResizeObserver(check), video)
  listen(video, 'resize', check)
  listen(video, 'enterpictureinpicture', check)
  listen(document, 'fullscreenchange', check)
}

async function leave(): Promise<void> {
  try {
    await leavePictureInPicture(document)
  } catch {
    // It has left by itself.
  }
}

/** What the window shows of the picture. */
function visiblePicture(video: HTMLVideoElement): Box {
  const picture = pictureOf(video)
  return picture ? shared(picture, windowBox()) : { x: 0, y: 0, width: 0, height: 0 }
}

/**
 * Checks and moves at random times. The clock of the film drives it beside the clock of the page.
 */
function keepWatch(video: HTMLVideoElement, check: () => void, onMove: () => void): void {
  let checkAt = 0
  let moveAt = now() + within(MOVE_MS)
  const look = (): void => {
    if (now() < checkAt) return
    checkAt = now() + within(CHECK_MS)
    check()
    if (now() < moveAt) return
    moveAt = now() + within(MOVE_MS)
    onMove()
  }
  const tick = (): void => {
    after(within(CHECK_MS), tick)
    look()
  }
  tick()
  listen(video, 'timeupdate', look)
}

const within = ({ least, most }: { least: number; most: number }): number =>
  least + chance() * (most - least)
