import { resolve } from 'node:path'
import { readLog, type InputStats } from './ffmpeg-log.ts'
import { runTool, type MediaWork, type ToolResult } from './run-tool.ts'

/**
 * Real containers only. Playlists, scripts and pattern demuxers (hls, concat, dash, image2, sdp,
 * lavfi, …) open the addresses that a file's text names, so the list excludes them.
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

/** The demuxers' full names: ffmpeg compares whole lists such as `mov,mp4,m4a,3gp,3g2,mj2`. */
const FORMATS = [...CONTAINERS, 'mp4', 'm4a', '3gp', '3g2', 'mj2', 'webm'].join(',')

/** An address of `activities/source/source-server.ts`. */
const LOOPBACK = /^http:\/\/127\.0\.0\.1:\d{1,5}\/[0-9a-f]{32}\/[\w-]+$/

/**
 * The input arguments of ffmpeg and ffprobe: they restrict both to one local file, or one source that this process
 * serves on the loopback, by protocol and by demuxer.
 */
export const inputArguments = (path: string): string[] => {
  const isServed = LOOPBACK.test(path)
  return [
    ['-protocol_whitelist', isServed ? 'http,tcp' : 'file', '-format_whitelist', FORMATS],
    ['-i', isServed ? path : `file:${resolve(path)}`],
  ].flat()
}

export interface FfmpegOptions extends MediaWork {
  /** The source's duration in milliseconds; without it, `onProgress` gets no fraction. */
  durationMs?: number | null
  /** True if only what is decoded behind the start of the output counts as damage. */
  isSeeking?: boolean
  /** Gets each line of ffmpeg's log, with its level. */
  onLogLine?: (line: string) => void
}

/** With what ffmpeg read of its first input. */
export interface FfmpegResult extends ToolResult, InputStats {
  /** Frames of the first video output. */
  frames: number
  /** The end of the longest output in milliseconds; 0 if nothing was written. */
  outMs: number
}

/** The first arguments of every ffmpeg call. */
const COMMON_ARGUMENTS = [
  ['-hide_banner', '-loglevel', 'level+verbose', '-nostats', '-nostdin', '-y'],
  ['-progress', 'pipe:1', '-stats_period', '0.5'],
].flat()

/**
 * Runs ffmpeg. Only a change of its frame count, its output time or its output size counts as progress,
 * because a stuck ffmpeg may still print reports. Throws as `runTool` does.
 */
export async function runFfmpeg(args: string[], options: FfmpegOptions): Promise<FfmpegResult> {
  const { durationMs = null, onProgress, onLogLine } = options
  const report: Record<string, string> = {}
  const log = readLog(options)
  const outMs = (): number => Math.max(0, Number(report.out_time_us ?? 0) / 1000) || 0
  const fraction = (): number | undefined =>
    durationMs !== null && outMs() > 0 ? Math.min(1, outMs() / durationMs) : undefined
  const result = await runTool('ffmpeg', [...COMMON_ARGUMENTS, ...args], {
    ...options,
    onProgress: () => onProgress?.(fraction()),
    onStdoutLine(line) {
      const [, key = '', value = ''] = /^(frame|out_time_us|total_size)=\s*(\S+)/.exec(line) ?? []
      if (key === '' || report[key] === value) return false
      report[key] = value
      return true
    },
    onStderrLine(line) {
      onLogLine?.(line)
      return log.onLine(line)
    },
  })
  return { ...result, ...log.stats, frames: Number(report.frame ?? 0), outMs: outMs() }
}
