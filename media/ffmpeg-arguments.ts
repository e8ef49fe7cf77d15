import { resolve } from 'node:path'

/**
 * Real containers alone. Playlists, scripts and pattern demuxers (hls, concat, dash, image2, sdp,
 * lavfi, …) open what a file's text names, so they are not on the list.
 */
const CONTAINERS = [
  'mov',
  'matroska',
  'avi',
  'mpegts',
  'mpeg',
  'mpegvideo',
  'flv',
  'asf',
  'ogg',
  'mxf',
  'h264',
  'hevc',
  'ivf',
  'gif',
  'dv',
  'nut',
  'wav',
  'mp3',
  'aac',
  'flac',
]

/** Options before `-i`, for ffmpeg and ffprobe alike: local files, by protocol and by demuxer. */
export const inputArguments = (path: string): string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', FORMATS],
  ...['-i', `file:${resolve(path)}`],
]

/** The demuxers' full names: ffmpeg compares whole lists such as `mov,mp4,m4a,3gp,3g2,mj2`. */
const FORMATS = [...CONTAINERS, 'mp4', 'm4a', '3gp', '3g2', 'mj2', 'webm'].join(',')
