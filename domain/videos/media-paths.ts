import type { Rendition } from './rendition.ts'

/** The prefix of every stored object of a video, except its source. */
export const mediaPrefix = (videoId: string): string => `videos/${videoId}/`

/** The prefix of the objects that one attempt made of a rendition, which are `init.mp4` and `<number>.m4s`. */
export const partPrefix = (videoId: string, rendition: string, token: string): string =>
  `${mediaPrefix(videoId)}${rendition}/${token}/`

/** The name of media segment `number`, from 1; of the initialisation segment for 0. */
export const segmentName = (number: number): string => (number === 0 ? 'init.mp4' : `${number}.m4s`)

/**
 * The object key of a segment of a published rendition. Renditions without parts have their objects in one folder.
 * The first part has the initialisation segment of all.
 */
export function segmentKey(
  videoId: string,
  { name, parts }: Pick<Rendition, 'name' | 'parts'>,
  number: number,
): string {
  const part = parts?.findLast(({ firstSegment }) => firstSegment <= number) ?? parts?.[0]
  const folder = part ? partPrefix(videoId, name, part.token) : `${mediaPrefix(videoId)}${name}/`
  return folder + segmentName(number)
}

const PART = /^videos\/[^/]+\/(\d{1,4}p|audio-\d{1,2})\/([0-9a-f]{8})\/[^/]+$/

/** Returns the rendition and the token of an object that an attempt made; null for any other object. */
export function parsePartKey(key: string): { rendition: string; token: string } | null {
  const [, rendition, token] = PART.exec(key) ?? []
  return rendition === undefined || token === undefined ? null : { rendition, token }
}

/** The name of the poster that the ingest makes. */
export const AUTOMATIC_POSTER = 'poster'

/** The object key of a picture of a video that is its poster or can become it. `name` has no extension. */
export const posterKey = (videoId: string, name: string = AUTOMATIC_POSTER): string =>
  `${mediaPrefix(videoId)}${name}.jpg`

/** The name of a frame to choose the poster from, from 1. */
export const frameName = (number: number): string => `frame-${number}`

/** The name of an uploaded picture. Each upload has a number of its own, so no object is ever replaced by another picture. */
export const uploadName = (number: number): string => `uploads/${number}/poster`

/** The prefix of the uploaded pictures of a video. */
export const uploadsPrefix = (videoId: string): string => `${mediaPrefix(videoId)}uploads/`

/** The prefix of one uploaded picture. */
export const uploadPrefix = (videoId: string, number: number): string =>
  `${uploadsPrefix(videoId)}${number}/`

/** Returns the number of an uploaded picture from its object key. */
export const uploadNumberOf = (key: string): number => Number(/\/uploads\/(\d+)\//.exec(key)?.[1])

/** The name of a storyboard in a ticket for its picture. */
export const STORYBOARD = 'storyboard'

/** The name of the index of a storyboard in a ticket for it. */
export const STORYBOARD_INDEX = 'storyboard-index'

export const storyboardKey = (videoId: string): string => `${mediaPrefix(videoId)}storyboard.jpg`

export const storyboardIndexKey = (videoId: string): string =>
  `${mediaPrefix(videoId)}storyboard.vtt`

/** The prefix of the tiles of a video's storyboard, from the encode of its chunks until they are joined. */
export const tilesPrefix = (videoId: string): string => `${mediaPrefix(videoId)}tiles/`

/** The object key of the tile for this second of the video. */
export const tileKey = (videoId: string, second: number): string =>
  `${tilesPrefix(videoId)}${second}.jpg`

/** Returns the second of a tile from its object key. */
export const tileSecondOf = (key: string): number => Number(/\/tiles\/(\d+)\.jpg$/.exec(key)?.[1])

/** Where originals were kept before sources were encrypted; they are not (ADR 0032). */
export const originalKey = (videoId: string): string => `${mediaPrefix(videoId)}original`

/** The downloaded source, encrypted. Kept until its video is ready; as long as the video if its account keeps originals. */
export const sourceKey = (videoId: string): string => `${sourcePrefix(videoId)}source`

/** The prefix of the copies of the picture of a source, from which chunks are read (ADR 0046). */
export const copiesPrefix = (videoId: string): string => `${sourcePrefix(videoId)}copies/`

/** The prefix of one copy. Each attempt stores one under an id of its own. */
export const copyPrefix = (videoId: string, copyId: string): string =>
  `${copiesPrefix(videoId)}${copyId}/`

/** A copy of the picture, encrypted. */
export const copyKey = (videoId: string, copyId: string): string =>
  `${copyPrefix(videoId, copyId)}picture`

/** The prefix of the bytes of an upload that make no part of its source yet. */
export const tailsPrefix = (videoId: string): string => `${sourcePrefix(videoId)}tails/`

/** The prefix of one tail. Each time these bytes are stored, they get a name of their own. */
export const tailPrefix = (videoId: string, name: string): string =>
  `${tailsPrefix(videoId)}${name}/`

/** Such bytes, encrypted. */
export const tailKey = (videoId: string, name: string): string => `${tailPrefix(videoId, name)}tail`

/** The prefix of a video's source. */
export const sourcePrefix = (videoId: string): string => `sources/${videoId}/`

/** The name of the local folder for the source and the encoder output. */
export const workFolderName = (videoId: string): string => `video-${videoId}`
