import { formatBytes } from '../../domain/format-bytes.ts'
import { speedMeter } from '../../domain/uploads/speed-meter.ts'
import { printable, type Output } from '../output.ts'
import type { LocalFile } from './collect-files.ts'

/** What became of a file. */
export interface FileOutcome {
  uploadId: number | null
  /** How much of it an earlier run had sent. */
  continuedBytes: number
  /** Null if it was not uploaded. */
  videoId: string | null
  error: { code: string; message: string } | null
}

/** The output of `videos upload`: a bar on a terminal, lines elsewhere, JSON lines for programs. */
export interface UploadReport {
  begin(file: LocalFile, continuedBytes: number): void
  sent(bytes: number): void
  waiting(problem: string): void
  end(file: LocalFile, outcome: FileOutcome): void
}

const FRAME_MS = 100
const BAR_WIDTH = 20

/** Creates a report about `count` files. */
export function createUploadReport(out: Output, count: number): UploadReport {
  let index = 0
  let current = { title: '', sizeBytes: 0 }
  let drawnAtMs = 0
  let measure = speedMeter()
  return {
    begin({ filename, sizeBytes }, continuedBytes) {
      index += 1
      const title = `${count > 1 ? `${index}/${count} ` : ''}${printable(filename)}`
      current = { title, sizeBytes }
      drawnAtMs = performance.now()
      measure = speedMeter()
      measure(continuedBytes, drawnAtMs)
      const rest = continuedBytes > 0 ? `, continued at ${formatBytes(continuedBytes)}` : ''
      out.note(`${title}: ${formatBytes(sizeBytes)}${rest}`)
    },
    sent(bytes) {
      const atMs = performance.now()
      if (atMs - drawnAtMs < FRAME_MS) return
      drawnAtMs = atMs
      out.draw(barLine(current, bytes, measure(bytes, atMs) ?? 0))
    },
    waiting: (problem) => out.draw(`${current.title}  ${problem} Trying again.`),
    end(file, outcome) {
      const { videoId, error } = outcome
      const name = printable(file.filename)
      out.print(
        outcomeRecord(file, outcome),
        error === null ? `${name}: video ${videoId}` : `${name}: ${error.message}`,
      )
    },
  }
}

function barLine(
  { title, sizeBytes }: { title: string; sizeBytes: number },
  bytes: number,
  speed: number,
): string {
  const share = sizeBytes > 0 ? bytes / sizeBytes : 0
  const full = Math.floor(share * BAR_WIDTH)
  const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full)
  const pace = speed > 0 ? `  ${formatBytes(Math.round(speed))}/s` : ''
  const left = speed > 0 ? `  ${timeText((sizeBytes - bytes) / speed)} left` : ''
  return `${bar} ${Math.floor(share * 100)} %${pace}${left}  ${title}`
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

/** The JSON line of a file. */
const outcomeRecord = (
  { path, filename, sizeBytes }: LocalFile,
  { uploadId, continuedBytes, videoId, error }: FileOutcome,
) => ({
  object: 'uploaded_file',
  file: path,
  filename,
  size_bytes: sizeBytes,
  continued_bytes: continuedBytes,
  upload_id: uploadId,
  video_id: videoId,
  error,
})
