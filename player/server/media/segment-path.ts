import { initKey, segmentKey } from '../../../domain/media-paths.ts'

/** A segment that an address names. */
export interface SegmentPath {
  videoId: string
  rendition: string
  /** From 1; 0 for the initialisation segment. */
  number: number
  /** In the storage. */
  key: string
}

const PATH =
  /^\/media\/([0-9a-f]{20})\/(\d{1,4}p|audio-\d{1,2})\/(?:init\.mp4|([1-9]\d{0,6})\.m4s)(?:\?.*)?$/

/** Reads a request's path, with or without a query; null where it is no segment's. */
export function parseSegmentPath(url: string): SegmentPath | null {
  const [, videoId, rendition, digits = '0'] = PATH.exec(url) ?? []
  if (videoId === undefined || rendition === undefined) return null
  const number = Number(digits)
  const key = number === 0 ? initKey(videoId, rendition) : segmentKey(videoId, rendition, number)
  return { videoId, rendition, number, key }
}
