import { runTool } from './run-tool.ts'
import type { MediaWork, ToolResult } from './run-tool.ts'

export interface FfmpegOptions extends MediaWork {
  isBackground?: boolean
  /** Of the film, in milliseconds; null or absent: `onProgress` gets no fraction. */
  durationMs?: number | null
}

export interface FfmpegResult extends ToolResult {
  /** Frames of the first video output. */
  frames: number
}

/** What every ffmpeg call begins with. */
const ALWAYS = [
  ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
  ...['-progress', 'pipe:1', '-stats_period', '0.5'],
]

/**
 * Runs ffmpeg. It counts as making progress where its frames, its output time or the size of its output
 * change: its report alone may come while it is stuck. Throws as `runTool` does.
 */
export async function runFfmpeg(args: string[], options: FfmpegOptions): Promise<FfmpegResult> {
  const { durationMs = null, onProgress } = options
  const report: Record<string, string> = {}
  const fraction = (): number | undefined => {
    const outMs = Number(report.out_time_us) / 1000
    return durationMs !== null && outMs > 0 ? Math.min(1, outMs / durationMs) : undefined
  }
  const result = await runTool('ffmpeg', [...ALWAYS, ...args], {
    ...options,
    onProgress: () => onProgress?.(fraction()),
    onStdoutLine(line) {
      const [, key = '', value = ''] = /^(frame|out_time_us|total_size)=\s*(\S+)/.exec(line) ?? []
      if (key === '' || report[key] === value) return false
      report[key] = value
      return true
    },
  })
  return { ...result, frames: Number(report.frame ?? 0) }
}
