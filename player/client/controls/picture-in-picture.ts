/** Why a video cannot be shown in a small window on top of other pages. */
export type NoPictureInPicture = 'watermark' | 'forbidden'

/** Returns why there is no picture in picture: its watermark, or the browser and the embedding page. Null if there is. */
export function noPictureInPicture(video: HTMLVideoElement): NoPictureInPicture | null {
  if (video.disablePictureInPicture) return 'watermark'
  return document.pictureInPictureEnabled ? null : 'forbidden'
}

/** Removes the picture-in-picture button if the feature is not available. Media Chrome does not check the page's permissions. */
export function connectPictureInPicture(video: HTMLVideoElement): void {
  if (noPictureInPicture(video)) document.querySelector('media-pip-button')?.remove()
}
