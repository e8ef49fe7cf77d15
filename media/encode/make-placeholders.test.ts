import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { readPicture } from '../../domain/videos/picture.ts'
import { setUpMediaFixture, signal } from '../../test/fixtures/media-files.ts'
import { makePlaceholders } from './make-placeholders.ts'

const t = setUpMediaFixture()

const poster = (name: string, colour: string, size: string): Promise<string> =>
  t.make(name, '-f', 'lavfi', '-i', `color=${colour}:s=${size}`, '-frames:v', '1')

/** The mean of red, green and blue. */
async function colourOf(placeholder: string): Promise<number[]> {
  const args = ['-v', 'error', '-f', 'webp_pipe', '-i', 'pipe:0', '-vf', 'scale=1:1,format=rgb24']
  const { stdout } = await execa('ffmpeg', [...args, '-f', 'rawvideo', 'pipe:1'], {
    input: Buffer.from(placeholder, 'base64'),
    encoding: 'buffer',
  })
  return [...stdout]
}

it('makes a tiny picture of each poster, in its shape and colours', async () => {
  const paths = [
    await poster('wide.jpg', '0x2060c0', '1280x720'),
    await poster('tall.jpg', '0xc04020', '405x720'),
  ]
  const placeholders = await makePlaceholders(paths, { signal })
  const [wide = '', tall = ''] = placeholders.map((one) => one ?? '')
  const read = (one: string) => readPicture(Buffer.from(one, 'base64'))
  expect(read(wide)).toMatchObject({ format: 'webp', width: 16, height: 9 })
  expect(read(tall)).toMatchObject({ format: 'webp', width: 9, height: 16 })
  for (const [one, colour] of [
    [wide, [0x20, 0x60, 0xc0]],
    [tall, [0xc0, 0x40, 0x20]],
  ] as const)
    for (const [index, value] of (await colourOf(one)).entries())
      expect(Math.abs(value - (colour[index] ?? 0)), one).toBeLessThan(12)
  const sizes = await Promise.all(paths.map((path) => stat(`${path}.webp`)))
  for (const { size } of sizes) expect(size).toBeLessThan(250)
})

it('has none for a picture that cannot be read', async () => {
  const broken = join(t.folder, 'broken.jpg')
  await writeFile(broken, 'no picture')
  expect(await makePlaceholders([broken], { signal })).toEqual([null])
})
