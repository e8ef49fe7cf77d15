import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { tileSize, tileTimes } from '../../domain/videos/storyboard.ts'
import { H264, setUpMediaFixture, signal } from '../../test/fixtures/media-files.ts'
import { joinTiles, makeTiles, type Tile } from './make-storyboard.ts'

const t = setUpMediaFixture()
const RATE = '30000/1001'
const GOP = 60
const GOP_SECONDS = 2.002
const STEP = 20
const size = tileSize(320, 180)

/** Encodes groups of pictures of a video in which each group is one step brighter than the one before. */
function encodeGroups(from: number, to: number): Promise<string> {
  const seconds = (to - from) * GOP_SECONDS - 0.01
  const picture = ['-f', 'lavfi', '-i', `color=black:s=320x180:r=${RATE}:d=${seconds}`]
  const brighter = ['-vf', `geq=lum='16+${STEP}*(${from}+floor(N/${GOP}))':cb=128:cr=128`]
  const groups = ['-g', String(GOP), '-keyint_min', String(GOP), '-sc_threshold', '0']
  return t.make(`groups-${from}.mp4`, ...picture, ...brighter, ...H264, ...groups)
}

async function tilesOf(from: number, to: number, groups: number): Promise<Tile[]> {
  const [startSeconds, endSeconds] = [from * GOP_SECONDS, to * GOP_SECONDS]
  return makeTiles({
    inputPath: await encodeGroups(from, to),
    streamIndex: 0,
    startSeconds,
    times: tileTimes(startSeconds, endSeconds, groups * GOP_SECONDS),
    size,
    outputDir: await mkdtemp(join(t.folder, 'tiles-')),
    signal,
  })
}

/** Returns how bright the middle of a part of a JPEG is, as a number of steps. */
async function stepOf(path: string, crop: string): Promise<number> {
  const filter = `crop=${crop}`
  const { stdout } = await execa(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-vf', filter, '-f', 'rawvideo', '-pix_fmt', 'yuvj420p', '-'],
    { encoding: 'buffer' },
  )
  return ((stdout[0] ?? 0) / 255) * (219 / STEP)
}

it('makes the tiles of each chunk from its own keyframes, which become the storyboard of the whole video', async () => {
  const tiles = (await Promise.all([tilesOf(0, 4, 9), tilesOf(4, 9, 9)])).flat()
  const seconds = tiles.map(({ second }) => second)
  expect(seconds).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16])
  for (const [index, { path }] of tiles.entries())
    expect(Math.abs((await stepOf(path, '20:20')) - index)).toBeLessThan(0.3)

  const [tilesPath, spritePath] = [join(t.folder, 'all'), join(t.folder, 'board.jpg')]
  const indexPath = join(t.folder, 'board.vtt')
  await writeFile(
    tilesPath,
    Buffer.concat(await Promise.all(tiles.map(({ path }) => readFile(path)))),
  )
  const durationMs = 18_018
  await joinTiles({ tilesPath, seconds, size, durationMs, spritePath, indexPath, signal })
  for (const index of seconds.keys())
    expect(
      Math.abs((await stepOf(spritePath, `20:20:${index * size.width + 70}:35`)) - index),
    ).toBeLessThan(0.3)
  const cues = await readFile(indexPath, 'utf8')
  expect(cues.match(/#xywh=/g)).toHaveLength(9)
  expect(cues).toContain('00:00:02.000 --> 00:00:04.000\nstoryboard.jpg#xywh=160,0,160,90')
  expect(cues).toContain('00:00:16.000 --> 00:00:18.018\nstoryboard.jpg#xywh=1280,0,160,90')
})
