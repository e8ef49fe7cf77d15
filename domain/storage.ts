const MIB = 1024 * 1024

/**
 * Returns the storage that a download of unknown length reserves after it has received `bytes`: an
 * eighth more, and at least 1 MiB more. 20 GiB take about 75 reservations, and at most this share
 * is reserved unnecessarily.
 */
export const reservationFor = (bytes: number): number => bytes + Math.max(MIB, Math.ceil(bytes / 8))

/**
 * Returns the bytes that a video counts for during its ingest. A source that is kept counts in
 * addition to the renditions. Otherwise the renditions replace it, and the larger of the two
 * counts.
 */
export const countedBytes = (video: {
  keepsOriginal: boolean
  sourceBytes: number
  publishedBytes: number
}): number =>
  video.keepsOriginal
    ? video.sourceBytes + video.publishedBytes
    : Math.max(video.sourceBytes, video.publishedBytes)
