import { initKey, segmentKey } from '../../../domain/media-paths.ts'
import { paths } from '../paths.ts'

/** A segment's address, parsed. */
export interface SegmentPath {
  videoId: string
  rendition: string
  /** From 1; 0 is the initialisation segment. */
  number: number
  /** Storage key. */
  key: string
}

const FOLDER = paths.rendition('([0-9a-f]{20})', String.raw`(\d{1,4}p|audio-\d{1,2})`)
const PATH = new RegExp(String.raw`^${FOLDER}/(?:init\.mp4|([1-9]\d{0,6})\.m4s)(?:\?.*)?$`)

/** Parses a request's path, with or without a query. Returns null if it is not a segment's. */
export function parseSegmentPath(url: string): SegmentPath | null {
  const [, videoId, rendition, digits = '0'] = PATH.exec(url) ?? []
  if (videoId === undefined || rendition === undefined) return null
  const number = Number(digits)
  const key = number === 0 ? initKey(videoId, rendition) : segmentKey(videoId, rendition, number)
  return { videoId, rendition, number, key }
}
