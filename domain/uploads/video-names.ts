/** The extensions of files that can have a moving picture, in containers that the encoder reads. */
const EXTENSIONS: readonly string[] = (
  '3g2 3gp asf avi divx dv f4v flv gif h264 h265 hevc ivf m1v m2t m2ts m2v m4v mj2 mkv ' +
  'mod mov mp4 mpe mpeg mpg mpv mts mxf nut ogm ogv ogx qt tod ts vob webm wmv'
).split(' ')

/** What the dialog of the system offers, as the attribute `accept`. Phones offer the videos of their camera. */
export const VIDEO_TYPES = ['video/*', ...EXTENSIONS.map((one) => `.${one}`)].join(',')

const extensionOf = (name: string): string | undefined =>
  /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()

/** True for the name of a file that has the extension of videos. */
export const isNamedVideo = (name: string): boolean => EXTENSIONS.includes(extensionOf(name) ?? '')

/** False for a file that says that it is no video. A name without an extension says nothing: the server looks into the file. */
export function mayBeVideo({ name, type }: { name: string; type: string }): boolean {
  if (type.startsWith('video/')) return true
  return extensionOf(name) === undefined ? type === '' : isNamedVideo(name)
}

/** Files that systems put beside those of people. */
export const isOfSystem = (name: string): boolean =>
  name.startsWith('.') || /^(thumbs\.db|desktop\.ini)$/i.test(name)
