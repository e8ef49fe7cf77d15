import { TITLE_MAX_LENGTH } from '../limits.ts'
import { titleFromUrl } from './video-title.ts'

const EXTENSION =
  /\.(3gp|avi|flv|m2ts?|m4v|mkv|mov|mp4|mpe?g|mts|mxf|ogv|qt|ts|vob|webm|wmv|mp3|m4a|wav)$/i

/** What file managers and browsers add to the name of a second copy: ` (1)`, ` - Copy`, ` copy 2`. */
const COPY = /(?<!\w)[\s_-]*(\(\d{1,3}\)|[-_ ] ?copy( \d+)?|kopie|copia)$/i

/** Names that cameras, phones, recorders and messengers give: `IMG_2041`, `GX010123`, `VID-20260512-WA0003`. */
const CAMERA =
  /^(img|vid|mov|mvi|dsc[fn]?|dji|gopr|g[hpx]|pxl|mah|clip|cam|rec|wp|screenrecording|screen[ _-]recording|zoom|gmt|whatsapp[ _-]video)[\s_-]?\d[\w\s.:-]*$/i

/** An id or a hash rather than words, such as a UUID. */
const ID = /^(?=[^ ]*\d)[0-9a-f]{8}[0-9a-f-]{4,}$/i

/** Numbers alone, such as a date or a counter. */
const NUMBER = /^[\d\s_.:-]+$/

/** Words that say nothing of a video. */
const EMPTY_WORD =
  /^(untitled|video|videos|movie|clip|file|download|source|original|output|export|render|master|final|index|media|test|tmp|temp)$/i

/** What encoders add to a name: `1080p`, `h264`. */
const TECHNICAL = /(?<=\S)[\s([]+(\d{3,4}p|[248]k|x26[45]|h\.?26[45]|hevc|av1|\d{2}fps)[)\]]?$/i

/**
 * True for a title that says little to viewers, because it is the name of a file or an id: `IMG_2041.MOV`,
 * `final_v2 (1).mp4`, a UUID, or no title at all.
 */
export function looksLikeFileName(title: string): boolean {
  const name = title.trim()
  if (name === '' || /^untitled$/i.test(name) || EXTENSION.test(name)) return true
  const bare = withoutCopyMark(name)
  return (
    CAMERA.test(bare) || ID.test(bare) || NUMBER.test(bare) || /^\S*[^\s_]_+[^\s_]\S*$/.test(bare)
  )
}

/**
 * Returns a title in words for the name of a file: without extension, copy marks and technical parts, with spaces in place
 * of other separators. Returns an empty text for a name without words, such as `IMG_2041.MOV`.
 */
export function readableTitle(name: string): string {
  const title = moreReadable(name)
  // What was between two parts that are gone can be such a part itself.
  return title === name ? title : readableTitle(title)
}

function moreReadable(name: string): string {
  const bare = withoutEndings(visible(name))
  if (CAMERA.test(bare) || ID.test(bare) || NUMBER.test(bare)) return ''
  const words = withoutEndings(withSpaces(bare))
  const title = Array.from(capitalised(words)).slice(0, TITLE_MAX_LENGTH).join('').trim()
  const isUnclear = EMPTY_WORD.test(title) || looksLikeFileName(title)
  return isUnclear || title.length > TITLE_MAX_LENGTH ? '' : title
}

/** As `readableTitle`, for the file of a link; an empty text also for a text that is no link to a file. */
export const readableTitleOfUrl = (url: string): string =>
  isFileLink(url) ? readableTitle(titleFromUrl(url)) : ''

/** True for a link whose path names something. */
export const isFileLink = (url: string): boolean =>
  /^https?:/i.test(url) && URL.canParse(url) && new URL(url).pathname !== '/'

const visible = (text: string): string => text.replaceAll(/(?!\s)\p{C}/gu, '').trim()

const withoutCopyMark = (text: string): string => text.replace(COPY, '').trim()

/** Removes what can follow the words of a name, also if there are several. */
function withoutEndings(name: string): string {
  const shorter = withoutCopyMark(name.replace(EXTENSION, '')).replace(TECHNICAL, '').trim()
  return shorter === name ? name : withoutEndings(shorter)
}

/** Underscores always separate words; dots and hyphens only in a name that has no spaces. */
function withSpaces(name: string): string {
  const spaced = name.replaceAll(/[_+]+/g, ' ')
  if (/\s/.test(name)) return spaced.replaceAll(/\s+/g, ' ').trim()
  const isSlug = !name.includes('_') && (name.match(/\p{L}-(?=[\p{L}\d])/gu) ?? []).length > 1
  const split = isSlug ? spaced.replaceAll(/-+/g, ' ') : spaced
  return split
    .replaceAll(/(?<=[\p{L}\d])\.+(?=[\p{L}\d])/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const capitalised = (text: string): string => {
  const [first = '', ...others] = Array.from(text)
  return first.toLocaleUpperCase() + others.join('')
}
