import { AUTOMATIC_POSTER, frameName, uploadName } from './media-paths.ts'

/** What of a video's row tells which pictures its poster can be chosen from. */
export interface PosterSource {
  hasPoster: boolean
  /** Frames that were kept at the ingest. */
  frameCount: number
  /** The number of the uploaded picture; null if it has none. */
  uploadNumber: number | null
}

/** A picture that is a poster or can become one. */
export interface PosterPicture {
  /** For members: `automatic`, `uploaded` or `frame-1`, `frame-2` and so on. */
  name: string
  /** The stored object, for `posterKey`. */
  storedName: string
}

/** Tiny pictures in Base64 (WebP) that are shown while a poster loads, by the name of its stored object. */
export type PosterPlaceholders = Record<string, string>

/** Why an uploaded picture became no poster. */
export const POSTER_REFUSALS = [
  'unreadable_picture',
  'insufficient_storage',
  'internal_error',
] as const

export type PosterRefusal = (typeof POSTER_REFUSALS)[number]

/** The name of a picture, as members send it. */
export const PICTURE_NAME = /^(automatic|uploaded|frame-[1-9]\d?)$/

/** The pictures that the poster of a video can be chosen from; none until it has a poster. */
export function picturesOf({ hasPoster, frameCount, uploadNumber }: PosterSource): PosterPicture[] {
  if (!hasPoster) return []
  const frames = Array.from({ length: frameCount }, (_, index) => frameName(index + 1))
  return [
    { name: 'automatic', storedName: AUTOMATIC_POSTER },
    ...(uploadNumber === null ? [] : [{ name: 'uploaded', storedName: uploadName(uploadNumber) }]),
    ...frames.map((name) => ({ name, storedName: name })),
  ]
}
