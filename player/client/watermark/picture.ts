import {
  boxOf,
  computedStyleOf,
  execPattern,
  min,
  offsetWidth,
  toNumber,
  videoHeight,
  videoWidth,
  type Box,
} from './dom.ts'

type Style = ReturnType<typeof computedStyleOf>

const POSITION = /^(-?[\d.]+)(%|px) (-?[\d.]+)(%|px)$/

/**
 * Returns the box of the picture in the window: the video's content box without the bars of
 * `object-fit: contain`. Returns null for styles that the player never uses.
 */
export function pictureOf(video: HTMLVideoElement): Box | null {
  const style = computedStyleOf(video)
  const box = contentBox(video, style)
  const fit = style('object-fit')
  const position = execPattern(POSITION, style('object-position'))
  if (!position || (style('object-view-box') || 'none') !== 'none') return null
  if (fit === 'cover' || fit === 'fill') return box
  if (fit !== 'contain') return null
  // Before the first data, the poster is shown, whose size is unknown.
  const wide = videoWidth(video) || box.width
  const high = videoHeight(video) || box.height
  const scale = min(box.width / wide, box.height / high) || 0
  const width = wide * scale
  const height = high * scale
  return {
    x: box.x + offset(position[1], position[2], box.width - width),
    y: box.y + offset(position[3], position[4], box.height - height),
    width,
    height,
  }
}

/** Returns the video's box without padding and border, which scale with the video. */
function contentBox(video: HTMLVideoElement, style: Style): Box {
  const { x, y, width, height } = boxOf(video)
  const scale = width / (offsetWidth(video) || 1)
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

/** Percentages of `object-position` refer to the free space. */
const offset = (value = '', unit = '', free: number): number =>
  unit === '%' ? (toNumber(value) / 100) * free : toNumber(value)
