import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { execa } from 'execa'
import { H264, picture, setUpMediaFixture, signal } from '../test/fixtures/media-files.ts'
import { makePoster } from './make-poster.ts'
import { probeSource } from './probe-source.ts'

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
