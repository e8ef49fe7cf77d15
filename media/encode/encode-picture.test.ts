import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { readPicture, type PictureFormat } from '../../domain/videos/picture.ts'
import { picture, setUpMediaFixture, signal } from '../../test/fixtures/media-files.ts'
import { makePng, turnJpeg } from '../../test/fixtures/pictures.ts'
import { encodePicture } from './encode-picture.ts'

const t = setUpMediaFixture()

const FORMATS: PictureFormat[] = ['jpeg', 'png', 'webp']
const SUFFIXES = { jpeg: 'jpg', png: 'png', webp: 'webp' }

const made = new Map<PictureFormat, Promise<Buffer>>()

/** A picture of 1600 × 900 pixels. */
function make(format: PictureFormat): Promise<Buffer> {
  const known =
    made.get(format) ??
    t
      .make(`one.${SUFFIXES[format]}`, ...picture('1600x900'), '-frames:v', '1')
      .then((path) => readFile(path))
  made.set(format, known)
  return known
}

/** Encodes bytes as a poster, and returns it. */
async function encode(bytes: Uint8Array, format: PictureFormat): Promise<Buffer> {
  const [inputPath, outputPath] = [join(t.folder, 'upload'), join(t.folder, 'poster.jpg')]
  await writeFile(inputPath, bytes)
  await encodePicture({ inputPath, outputPath, format, signal })
  return readFile(outputPath)
}

const unreadable = { name: 'MediaError', code: 'unreadable_file' }

/** The mean of red, green and blue of one half of a JPEG. */
async function colourOf(jpeg: Buffer, half: 'left' | 'right'): Promise<number[]> {
  const x = half === 'left' ? '0' : 'iw/2'
  const filter = `crop=iw/2:ih:${x}:0,scale=1:1:flags=area,format=rgb24`
  const args = ['-f', 'jpeg_pipe', '-i', 'pipe:0', '-vf', filter, '-f', 'rawvideo', 'pipe:1']
  const { stdout } = await execa('ffmpeg', ['-loglevel', 'error', ...args], {
    input: jpeg,
    encoding: 'buffer',
  })
  return [...stdout]
}

describe('an uploaded picture', () => {
  it.each(FORMATS)('as %s becomes a JPEG of at most 1280 pixels, in its shape', async (format) => {
    const bytes = await make(format)
    expect(readPicture(bytes)).toMatchObject({ format, width: 1600, height: 900 })
    const poster = await encode(bytes, format)
    expect(readPicture(poster)).toMatchObject({ format: 'jpeg', width: 1280, height: 720 })
  })

  it('is never enlarged, and keeps an extreme shape', async () => {
    const small = await encode(makePng({ width: 321, height: 200 }), 'png')
    expect(readPicture(small)).toMatchObject({ width: 321, height: 200 })
    const line = await encode(makePng({ width: 2560, height: 2 }), 'png')
    expect(readPicture(line)).toMatchObject({ width: 1280, height: 1 })
  })

  it('is turned as its camera was', async () => {
    const poster = await encode(turnJpeg(await make('jpeg')), 'jpeg')
    expect(readPicture(poster)).toMatchObject({ width: 720, height: 1280 })
  })

  it('is black where it is transparent, whatever the colour of those pixels', async () => {
    const filter = `color=red:s=640x360,format=rgba,geq=r=255:g=0:b=0:a='if(lt(X,320),0,255)'`
    const path = await t.make('clear.png', '-f', 'lavfi', '-i', filter, '-frames:v', '1')
    const poster = await encode(await readFile(path), 'png')
    for (const value of await colourOf(poster, 'left')) expect(value).toBeLessThan(8)
    expect((await colourOf(poster, 'right'))[0]).toBeGreaterThan(240)
  })

  it.each(FORMATS)('as %s loses its metadata and what follows it', async (format) => {
    const payload = Buffer.from('<script>alert(1)</script>'.repeat(4))
    const bytes = Buffer.concat([await make(format), payload])
    const marked = format === 'jpeg' ? turnJpeg(bytes) : bytes
    const poster = await encode(marked, format)
    expect(poster.includes('script')).toBe(false)
    expect(poster.includes('Exif')).toBe(false)
  })

  it.each(FORMATS)('as %s is refused if it is cut off', async (format) => {
    const bytes = await make(format)
    for (const share of [0.3, 0.95])
      await expect(encode(bytes.subarray(0, bytes.length * share), format)).rejects.toMatchObject(
        unreadable,
      )
  })

  it('is refused if its bytes are of another format, or of none', async () => {
    const jpeg = await make('jpeg')
    await expect(encode(jpeg, 'png')).rejects.toMatchObject(unreadable)
    await expect(encode(Buffer.from('<svg/>'), 'png')).rejects.toMatchObject(unreadable)
    await expect(encode(Buffer.from('#EXTM3U\nfile:/etc/passwd\n'), 'jpeg')).rejects.toMatchObject(
      unreadable,
    )
  })

  it('is refused by the decoder if it has too many pixels, whatever an earlier check read', async () => {
    const bomb = makePng({ width: 9_000, height: 9_000 })
    expect(bomb.length).toBeLessThan(1_000_000)
    await expect(encode(bomb, 'png')).rejects.toMatchObject(unreadable)
  })
})
