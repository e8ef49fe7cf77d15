import { writeFile } from 'node:fs/promises'
import { inputArguments, runFfmpeg } from './ffmpeg.ts'
import { MediaError } from './media-error.ts'
import type { MediaWork } from './run-tool.ts'

export interface StoryboardOptions extends MediaWork {
  /** An encoded rung, with a keyframe every two seconds. */
  inputPath: string
  width: number
  height: number
  durationMs: number
  /** One JPEG with all tiles. */
  spritePath: string
  /** WebVTT: maps each time to a part of the sprite. */
  indexPath: string
}

const TILES_MAX = 100
const COLUMNS = 10
const TILE_LONG_SIDE = 160
const KEYFRAME_SECONDS = 2

/** The grid of a storyboard: at most 100 tiles, at most one per keyframe. */
function storyboardGrid(width: number, height: number, durationMs: number) {
  const seconds = durationMs / 1000
  const everySeconds =
    Math.max(1, Math.ceil(seconds / TILES_MAX / KEYFRAME_SECONDS)) * KEYFRAME_SECONDS
  const tiles = Math.min(TILES_MAX, Math.max(1, Math.ceil(seconds / everySeconds)))
  const scale = TILE_LONG_SIDE / Math.max(width, height)
  const even = (pixels: number): number => Math.max(2, Math.round((pixels * scale) / 2) * 2)
  const columns = Math.min(COLUMNS, tiles)
  const rows = Math.ceil(tiles / columns)
  return { everySeconds, tiles, columns, rows, tileWidth: even(width), tileHeight: even(height) }
}

type Grid = ReturnType<typeof storyboardGrid>

/** Makes the sprite sheet and its index from keyframes only. */
export async function makeStoryboard(options: StoryboardOptions): Promise<void> {
  const { inputPath, width, height, durationMs, signal, onProgress, stallMs } = options
  const grid = storyboardGrid(width, height, durationMs)
  // Slightly less than the interval, so that a keyframe one frame early still counts.
  const every = grid.everySeconds - 0.5
  const filter = [
    `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${every})'`,
    `scale=${grid.tileWidth}:${grid.tileHeight}`,
    `tile=${grid.columns}x${grid.rows}`,
    'format=yuvj420p',
  ].join(',')
  const input = ['-skip_frame', 'nokey', ...inputArguments(inputPath)]
  const output = ['-map', '0:V:0', '-vf', filter, '-vsync', 'vfr', '-frames:v', '1', '-q:v', '5']
  const file = ['-f', 'mjpeg', options.spritePath]
  // The sheet is one frame, written at the end; the second output reports how much is read.
  const reading = ['-map', '0:V:0', '-vsync', 'passthrough', '-f', 'null', '-']
  const work = { signal, onProgress, stallMs }
  const { exitCode } = await runFfmpeg([...input, ...output, ...file, ...reading], work)
  if (exitCode !== 0)
    throw new MediaError('nothing_decodable', 'No frame of the video can be decoded.')
  await writeFile(options.indexPath, storyboardIndex(grid, durationMs))
}

/** Returns the WebVTT index; its URLs are relative to the index. */
function storyboardIndex(grid: Grid, durationMs: number): string {
  const cues = Array.from({ length: grid.tiles }, (_, index) => {
    const from = index * grid.everySeconds * 1000
    const to = index === grid.tiles - 1 ? durationMs : from + grid.everySeconds * 1000
    const x = (index % grid.columns) * grid.tileWidth
    const y = Math.floor(index / grid.columns) * grid.tileHeight
    const box = `${x},${y},${grid.tileWidth},${grid.tileHeight}`
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
