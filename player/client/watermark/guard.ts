import { inspect } from './inspect.ts'
import type { Scene, Tampering } from './inspect.ts'
import { makeMark, move } from './mark.ts'

const CHECK_MS = { least: 500, most: 1_500 }
const MOVE_MS = { least: 3_000, most: 7_000 }
/** Once is an accident; again, within this time, is a hand. */
const REPAIRS_MAX = 1
const FORGIVEN_AFTER_MS = 60_000

/**
 * Shows the verified viewer id over the picture, moving about, inside the container that goes full
 * screen. An observer and a randomised poll of what is painted put it back; `onTampered` is called,
 * once, where that had to be done again.
 */
export function guardWatermark(scene: Scene, onTampered: (how: Tampering) => void): void {
  const repairs: number[] = []
  let mark = makeMark(scene.look)
  let isOver = false
  const observer = new MutationObserver(() => check())
  const attach = (): void => {
    scene.container.append(mark.host)
    observer.disconnect()
    observer.observe(scene.container, { childList: true })
    observer.observe(mark.host, { attributes: true })
    observer.takeRecords()
  }
  const repair = (how: Tampering): void => {
    const now = performance.now()
    while (repairs.length > 0 && (repairs[0] ?? 0) < now - FORGIVEN_AFTER_MS) repairs.shift()
    repairs.push(now)
    if (how === 'picture_in_picture') void document.exitPictureInPicture().catch(() => undefined)
    mark.host.remove()
    mark = makeMark(scene.look)
    attach()
    if (repairs.length <= REPAIRS_MAX) return
    isOver = true
    observer.disconnect()
    onTampered(how)
  }
  const check = (): void => {
    if (isOver) return
    const how = inspect(mark, scene)
    observer.takeRecords()
    if (how) repair(how)
  }
  attach()
  keepWatch(
    scene.video,
    () => !isOver,
    check,
    () => move(mark),
  )
}

/**
 * Checks and moves at random times. The clock of the film drives it beside the page's timers, which
 * whoever wants the watermark gone can clear.
 */
function keepWatch(
  video: HTMLVideoElement,
  isOn: () => boolean,
  check: () => void,
  onMove: () => void,
): void {
  let checkAt = 0
  let moveAt = performance.now() + within(MOVE_MS)
  const look = (): void => {
    if (!isOn()) return
    const now = performance.now()
    if (now >= moveAt) {
      moveAt = now + within(MOVE_MS)
      onMove()
    }
    if (now < checkAt) return
    checkAt = now + within(CHECK_MS)
    check()
  }
  const tick = (): void => {
    look()
    if (isOn()) setTimeout(tick, within(CHECK_MS))
  }
  tick()
  for (const event of ['timeupdate', 'play', 'enterpictureinpicture', 'fullscreenchange'])
    video.addEventListener(event, look)
  video.addEventListener('enterpictureinpicture', check)
  document.addEventListener('fullscreenchange', check)
}

const within = ({ least, most }: { least: number; most: number }): number =>
  least + Math.random() * (most - least)
