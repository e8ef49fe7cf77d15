import { MediaError } from '../media-error.ts'

/** Demuxers of audio that `inputArguments` excludes, as ffprobe names them. */
const AUDIO_CONTAINERS =
  /^\[(?:ac3|aiff|amr|ape|au|caf|dsf|dts|eac3|mlp|mp2|mpc8?|opus|tak|truehd|tta|w64|wv) @ \w+\] Format not on whitelist/m

/** The failure of a file that has no picture. */
export const audioAlone = (): MediaError =>
  new MediaError(
    'no_video_stream',
    'The file has only audio, and audio alone cannot be played. Add a picture to it, such as a still image.',
  )

/** The failure of a file that ends inside its index. */
export const indexCut = (): MediaError =>
  new MediaError(
    'unreadable_file',
    'The file is incomplete: it ends inside its index (the moov box of an MP4).',
  )

/** Returns why ffprobe could not read a file, by what it says. */
export function unreadable(stderr: string): MediaError {
  if (AUDIO_CONTAINERS.test(stderr)) return audioAlone()
  if (/moov atom not found/i.test(stderr))
    return new MediaError(
      'unreadable_file',
      'The file is incomplete: its index (the moov box of an MP4) is missing.',
    )
  if (/not on whitelist|Invalid data found when processing input/i.test(stderr))
    return new MediaError('unsupported_container', 'The file is not a video file that can be read.')
  if (/truncat|end of file/i.test(stderr))
    return new MediaError('unreadable_file', 'The file is incomplete.')
  return new MediaError('unreadable_file', 'The file is damaged or is not a video file.')
}
