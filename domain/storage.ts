const MIB = 1024 * 1024

/**
 * How much storage a download of unknown length reserves once it has `bytes`: an eighth more, at
 * least a mebibyte. 20 GiB take some 75 steps, and no more than that share is held for nothing.
 */
export const reservationFor = (bytes: number): number => bytes + Math.max(MIB, Math.ceil(bytes / 8))

/**
 * What a video that is worked on counts as, in bytes. The source counts beside the renditions only
 * where it is kept: else it goes once the video is ready, and they take its place.
 */
export const countedBytes = (video: {
  keepsOriginal: boolean
  sourceBytes: number
  publishedBytes: number
}): number =>
  video.keepsOriginal
    ? video.sourceBytes + video.publishedBytes
    : Math.max(video.sourceBytes, video.publishedBytes)
