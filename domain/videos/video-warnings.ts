/** What a viewer of a video misses or sees otherwise than in its source; `count` says how much. */
const VIDEO_WARNINGS = {
  picture_damaged: 'percent of the picture are damaged or missing in the source file.',
  sound_damaged:
    'percent of an audio track are damaged or missing in the source file; there is silence there.',
  video_tracks_dropped: 'further video tracks are not played; the default track is.',
  audio_tracks_dropped:
    'audio tracks are not played: there are too many, or they cannot be decoded.',
  surround_downmixed: 'audio tracks in surround sound are played in stereo.',
  subtitles_dropped:
    'subtitle tracks are not shown: they consist of pictures, repeat a language, or cannot be read.',
  chapters_dropped: 'chapters are not shown: they overlap, lie outside the video, or are too many.',
  data_tracks_dropped: 'data tracks, such as time codes, are not kept.',
  attachments_dropped: 'attached files, such as fonts and cover pictures, are not kept.',
  hdr_converted: 'video track in HDR is shown in SDR.',
  transparency_dropped: 'video track has transparency, which is not shown.',
  corners_cut: 'video track is turned by an angle between right angles; its corners are cut off.',
  frame_rate_reduced: 'frames per second of the source are more than the 60 that are played.',
} as const

export type VideoWarningCode = keyof typeof VIDEO_WARNINGS

/** A difference between a video and its source that its owner should know. */
export interface VideoWarning {
  code: VideoWarningCode
  /** Tracks, percent or frames per second, by the code. */
  count: number
}

/** The codes in the order in which they are shown. */
export const VIDEO_WARNING_CODES = Object.keys(VIDEO_WARNINGS).filter(isVideoWarningCode)

function isVideoWarningCode(code: string): code is VideoWarningCode {
  return code in VIDEO_WARNINGS
}

/** Says a warning in English, for integrators and operators. */
export const warningMessage = ({ code, count }: VideoWarning): string =>
  `${count} ${VIDEO_WARNINGS[code]}`

/** Returns the warnings whose count is above 0, once each, in the order in which they are shown. */
export function warningsOf(counts: Partial<Record<VideoWarningCode, number>>): VideoWarning[] {
  return VIDEO_WARNING_CODES.flatMap((code) => {
    const count = counts[code] ?? 0
    return count > 0 ? [{ code, count }] : []
  })
}
