import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { H264, picture, setUpMediaFixture, signal } from '../../test/fixtures/media-files.ts'
import { probeSource } from '../probe/probe-source.ts'
import { makeFrames, makePoster } from './make-poster.ts'

const t = setUpMediaFixture()
const { make } = t

it('makes the poster of a video with oblong pixels as wide as its display size', async () => {
  const path = await make(
    'oblong.mp4',
    ...picture('720x576', 25, 2),
    '-vf',
    'setsar=64/45',
    ...H264,
  )
  const { video } = await probeSource(path, { signal })
  const outputPath = join(t.folder, 'oblong.jpg')
  await makePoster({ sourcePath: path, video, durationMs: 2_000, outputPath, signal })
  const wanted = ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0']
  const { stdout } = await execa('ffprobe', [...wanted, outputPath])
  expect(stdout.trim()).toBe('1024,576')
})

it('keeps six evenly spaced frames as large as the poster, and those of a damaged file that can be read', async () => {
  const path = await make('long.mp4', ...picture('1920x1080', 5, 12), ...H264, '-g', '10')
  const { video } = await probeSource(path, { signal })
  const options = { video, durationMs: 12_000, outputDir: t.folder, signal }
  const paths = await makeFrames({ ...options, sourcePath: path })
  expect(paths).toHaveLength(6)
  const pictures = await Promise.all(paths.map((frame) => readFile(frame)))
  expect(new Set(pictures.map((bytes) => bytes.toString('base64'))).size).toBe(6)
  const wanted = ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0']
  const { stdout } = await execa('ffprobe', [...wanted, paths[5] ?? ''])
  expect(stdout.trim()).toBe('1280,720')
  // The duration of the renditions can be longer than the picture of the source.
  const some = await makeFrames({ ...options, sourcePath: path, durationMs: 24_000 })
  expect(some).toHaveLength(3)
})

it('keeps six different frames of a video with one keyframe', async () => {
  const path = await make('one-keyframe.mp4', ...picture('320x180', 5, 12), ...H264, '-g', '100')
  const { video } = await probeSource(path, { signal })
  const source = { sourcePath: path, video, durationMs: 12_000, outputDir: t.folder, signal }
  const pictures = await Promise.all((await makeFrames(source)).map((frame) => readFile(frame)))
  expect(new Set(pictures.map((bytes) => bytes.toString('base64'))).size).toBe(6)
})
