/** The prefix of every stored object of a video, except its source. */
export const mediaPrefix = (videoId: string): string => `videos/${videoId}/`

/** The object key of a rendition's initialisation segment. */
export const initKey = (videoId: string, rendition: string): string =>
  `${mediaPrefix(videoId)}${rendition}/init.mp4`

/** The object key of media segment `number` (from 1) of a rendition. */
export const segmentKey = (videoId: string, rendition: string, number: number): string =>
  `${mediaPrefix(videoId)}${rendition}/${number}.m4s`

export const posterKey = (videoId: string): string => `${mediaPrefix(videoId)}poster.jpg`

export const storyboardKey = (videoId: string): string => `${mediaPrefix(videoId)}storyboard.jpg`

export const storyboardIndexKey = (videoId: string): string =>
  `${mediaPrefix(videoId)}storyboard.vtt`

/** The untouched source, kept only under the account's `keep_original` setting. */
export const originalKey = (videoId: string): string => `${mediaPrefix(videoId)}original`

/** The downloaded source, kept until its video is encoded. */
export const sourceKey = (videoId: string): string => `${sourcePrefix(videoId)}source`

/** The prefix of a video's source. */
export const sourcePrefix = (videoId: string): string => `sources/${videoId}/`

/** The name of the local folder for the source and the encoder output. */
export const workFolderName = (videoId: string): string => `video-${videoId}`
