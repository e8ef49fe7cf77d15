import { readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { TILE_TOLERANCE_SECONDS, type TileTimes } from '../../domain/videos/storyboard.ts'
import { inputArguments, runFfmpeg } from '../ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import { withoutFraction, type MediaWork } from '../run-tool.ts'

export interface TilesOptions extends MediaWork {
  /** A part of the video, such as an encoded chunk. */
  inputPath: string
  /** The stream's index in the file. */
  streamIndex: number
  /** Where the part begins in the video. */
  startSeconds: number
  times: TileTimes
  /** Pixels of each tile. */
  size: { width: number; height: number }
  /** Further filters, such as the conversion of HDR. */
  filters?: string[]
  /** An empty folder; receives a JPEG for each tile. */
  outputDir: string
}

/** A tile of a storyboard. */
export interface Tile {
  /** Of the video. */
  second: number
  path: string
}

/**
 * Makes the tiles of a storyboard that lie in one part of a video, from keyframes only: each shows the last
 * keyframe before its time, or up to half a second behind it.
 * The last ones are missing if the part ends early. Throws a MediaError `nothing_decodable`.
 */
export async function makeTiles(options: TilesOptions): Promise<Tile[]> {
  const { inputPath, streamIndex, times, outputDir } = options
  const { first, every, count } = times
  if (count === 0) return []
  const input = ['-skip_frame', 'nokey', ...inputArguments(inputPath)]
  const picture = ['-map', `0:${streamIndex}`, '-vf', tileFilter(options), '-vsync', 'passthrough']
  const output = ['-frames:v', String(count), '-q:v', '3', '-f', 'image2', '-start_number', '0']
  const { exitCode } = await runFfmpeg(
    [...input, ...picture, ...output, join(outputDir, '%d.jpg')],
    withoutFraction(options),
  )
  if (exitCode !== 0) throw nothingDecodable()
  const { length } = await readdir(outputDir)
  return Array.from({ length }, (_, index) => ({
    second: first + index * every,
    path: join(outputDir, `${index}.jpg`),
  }))
}

/** ffmpeg lets every file begin at 0; the filter moves the part to its place and takes a picture at each time. */
function tileFilter({ startSeconds, times, size, filters = [] }: TilesOptions): string {
  const { first, every } = times
  return [
    `setpts=PTS+(${startSeconds - TILE_TOLERANCE_SECONDS})/TB`,
    // Without a copy behind it, the last keyframe is lost.
    `tpad=stop_mode=clone:stop_duration=${2 * every}`,
    `fps=1/${every}:round=up:start_time=${first}`,
    `scale=${size.width}:${size.height}`,
    ...filters,
    'format=yuvj420p',
  ].join(',')
}

const COLUMNS = 10

export interface StoryboardOptions extends MediaWork {
  /** The tiles as JPEG files, one behind the other in one file, each of `size` pixels. */
  tilesPath: string
  /** When each tile is shown, in seconds of the video, in order. */
  seconds: number[]
  size: { width: number; height: number }
  durationMs: number
  /** One JPEG with all tiles. */
  spritePath: string
  /** WebVTT: maps each time to a part of the sprite. */
  indexPath: string
}

/** Joins the tiles of a video to a sprite sheet and writes its index. Throws a MediaError `nothing_decodable`. */
export async function joinTiles(options: StoryboardOptions): Promise<void> {
  const { tilesPath, seconds, spritePath, indexPath } = options
  const columns = Math.min(COLUMNS, seconds.length)
  const rows = Math.ceil(seconds.length / columns)
  const input = ['-protocol_whitelist', 'file', '-f', 'mjpeg', '-i', `file:${resolve(tilesPath)}`]
  const filter = `tile=${columns}x${rows},format=yuvj420p`
  const output = ['-vf', filter, '-frames:v', '1', '-q:v', '5', '-f', 'mjpeg', spritePath]
  const { exitCode } = await runFfmpeg([...input, ...output], withoutFraction(options))
  if (exitCode !== 0) throw nothingDecodable()
  await writeFile(indexPath, storyboardIndex(options, columns))
}

const nothingDecodable = (): MediaError =>
  new MediaError('nothing_decodable', 'No frame of the video can be decoded.')

/** Returns the WebVTT index; its URLs are relative to the index. */
function storyboardIndex(
  { seconds, size, durationMs }: StoryboardOptions,
  columns: number,
): string {
  const cues = seconds.map((second, index) => {
    const from = index === 0 ? 0 : second * 1000
    const next = seconds[index + 1]
    const to = next === undefined ? durationMs : next * 1000
    const x = (index % columns) * size.width
    const y = Math.floor(index / columns) * size.height
    const box = `${x},${y},${size.width},${size.height}`
    return `${timestamp(from)} --> ${timestamp(Math.max(to, from + 1))}\nstoryboard.jpg#xywh=${box}\n`
  })
  return `WEBVTT\n\n${cues.join('\n')}`
}

function timestamp(ms: number): string {
  const whole = Math.floor(ms)
  const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0')
  const hours = pad(Math.floor(whole / 3_600_000))
  const minutes = pad(Math.floor(whole / 60_000) % 60)
  return `${hours}:${minutes}:${pad(Math.floor(whole / 1000) % 60)}.${pad(whole % 1000, 3)}`
}
