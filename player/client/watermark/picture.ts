import { boxOf, matchText, min, offsetWidth, styleOf, toNumber } from './dom.ts'
import { videoHeight, videoWidth } from './dom.ts'
import type { Box } from './dom.ts'

type Style = ReturnType<typeof styleOf>

const POSITION = /^(-?[\d.]+)(%|px) (-?[\d.]+)(%|px)$/

/**
 * Returns where the picture is in the window: the content box of the video without the bars that
 * `object-fit: contain` leaves. Null where it is fitted in a way that the player never uses.
 */
export function pictureOf(video: HTMLVideoElement): Box | null {
  const style = styleOf(video)
  const box = contentBox(video, style)
  const fit = style('object-fit')
  const position = matchText(POSITION, style('object-position'))
  if (!position || (style('object-view-box') || 'none') !== 'none') return null
  if (fit === 'cover' || fit === 'fill') return box
  if (fit !== 'contain') return null
  // Before the first data the poster is there, whose size is not known.
  const wide = videoWidth(video) || box.width
  const high = videoHeight(video) || box.height
  const scale = min(box.width / wide, box.height / high)
  const width = wide * scale
  const height = high * scale
  return {
    x: box.x + offset(position[1], position[2], box.width - width),
    y: box.y + offset(position[3], position[4], box.height - height),
    width,
    height,
  }
}

/** Padding and borders are no picture. They scale as the video does. */
function contentBox(video: HTMLVideoElement, style: Style): Box {
  const { x, y, width, height } = boxOf(video)
  const scale = width / offsetWidth(video)
  const edge = (side: string): number =>
    scale * (toNumber(style(`padding-${side}`)) + toNumber(style(`border-${side}-width`)))
  const left = edge('left')
  const top = edge('top')
  return {
    x: x + left,
    y: y + top,
    width: width - left - edge('right'),
    height: height - top - edge('bottom'),
  }
}

/** A percentage of `object-position` is one of the space that is left. */
const offset = (value = '', unit = '', free: number): number =>
  unit === '%' ? (toNumber(value) / 100) * free : toNumber(value)
