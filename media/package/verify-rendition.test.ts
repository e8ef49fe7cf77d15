import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import {
  H264,
  picture,
  SEGMENTS,
  setUpMediaFixture,
  signal,
  tone,
} from '../../test/fixtures/media-files.ts'
import { boxesOf } from './boxes.ts'
import { decryptSegment } from './decrypt-samples.ts'
import { readEncryptionBoxes } from './encryption-boxes.ts'
import { packageRendition, type PackagedRendition } from './package-rendition.ts'
import { verifyRendition } from './verify-rendition.ts'

const t = setUpMediaFixture()
const FRAGMENTS = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof']
const TRACKS = {
  video: () => [...picture('320x180', 25, 6), ...H264, '-g', '50', '-bf', '2', ...FRAGMENTS],
  audio: () => [...tone(6), '-c:a', 'aac'],
}
const key = { keyIdHex: 'a1'.repeat(16), keyHex: 'c3'.repeat(16), ivHex: 'b2'.repeat(16) }
const refused = { name: 'MediaError', code: 'verification_failed' }

async function pack(kind: 'video' | 'audio', scheme: 'cenc' | 'cbcs') {
  const encodedPath = await t.make(`${kind}-${scheme}.mp4`, ...TRACKS[kind]())
  const outputDir = join(t.folder, `${kind}-${scheme}`)
  await mkdir(outputDir)
  const packaged = await packageRendition({
    inputPath: encodedPath,
    kind,
    outputDir,
    ...SEGMENTS,
    name: kind,
    // As the product does: only cbcs has an IV of its own (`activities/encode/content-keys.ts`).
    key: scheme === 'cbcs' ? key : { ...key, ivHex: null },
    scheme,
    trackType: kind === 'video' ? 'SD' : 'AUDIO',
    language: null,
    label: null,
    pssh: [],
    signal,
  })
  return { encodedPath, packaged }
}

/** Changes one byte of the media of a segment while `work` runs. */
async function withChange(path: string, share: number, work: () => Promise<unknown>) {
  const bytes = await readFile(path)
  const changed = Buffer.from(bytes)
  const media = boxesOf(changed).find(({ type }) => type === 'mdat')?.body ?? Buffer.alloc(0)
  const at = Math.floor(share * (media.length - 1))
  media[at] = (media[at] ?? 0) ^ 1
  await writeFile(path, changed)
  await work()
  await writeFile(path, bytes)
}

/** The packets of all segments, as ffmpeg decrypts them. */
async function packetsByFfmpeg({ initPath, segmentPaths }: PackagedRendition): Promise<Buffer> {
  const whole = join(t.folder, 'whole.mp4')
  const parts = await Promise.all([initPath, ...segmentPaths].map((path) => readFile(path)))
  await writeFile(whole, Buffer.concat(parts))
  const { stdout } = await execa(
    'ffmpeg',
    [
      '-v',
      'error',
      '-decryption_key',
      key.keyHex,
      '-i',
      whole,
      '-map',
      '0:0',
      '-c',
      'copy',
      '-f',
      'data',
      '-',
    ],
    { encoding: 'buffer' },
  )
  return Buffer.from(stdout)
}

describe.each([
  ['video', 'cenc'],
  ['video', 'cbcs'],
  ['audio', 'cenc'],
  ['audio', 'cbcs'],
] as const)('the verification of %s in %s', (kind, scheme) => {
  it('decrypts as ffmpeg does, and refuses a wrong key, a changed byte, a missing or a further sample, and other times', async () => {
    const { encodedPath, packaged } = await pack(kind, scheme)
    const { initPath, segmentPaths, startTicks } = packaged
    const verify = (changes: Partial<PackagedRendition> = {}, keyHex = key.keyHex) =>
      verifyRendition({
        packaged: { ...packaged, ...changes },
        encodedPath,
        key: { ...key, keyHex },
        signal,
      })
    await verify()

    const boxes = readEncryptionBoxes(await readFile(initPath))
    if (!boxes) throw new Error('no encryption')
    const track = { ...boxes, key: Buffer.from(key.keyHex, 'hex') }
    const segments = await Promise.all(segmentPaths.map((path) => readFile(path)))
    const clear = Buffer.concat(segments.map((bytes) => decryptSegment(bytes, track).media))
    expect(clear.equals(await packetsByFfmpeg(packaged))).toBe(true)

    await expect(verify({}, 'd4'.repeat(16))).rejects.toMatchObject(refused)
    for (const path of segmentPaths)
      for (const share of [0, 0.25, 0.5, 0.75, 1])
        await withChange(path, share, () => expect(verify()).rejects.toMatchObject(refused))
    await expect(verify({ segmentPaths: segmentPaths.slice(0, -1) })).rejects.toMatchObject(refused)
    await expect(verify({ segmentPaths: [] })).rejects.toMatchObject(refused)
    await expect(verify({ segmentPaths: segmentPaths.toReversed() })).rejects.toMatchObject(refused)
    await expect(verify({ initPath: encodedPath })).rejects.toMatchObject(refused)
    if (kind === 'video')
      await expect(verify({ startTicks: startTicks + 1 })).rejects.toMatchObject(refused)
    await verify()
    await truncate(segmentPaths.at(-1) ?? '', 1_000)
    await expect(verify()).rejects.toMatchObject(refused)
  })
})
