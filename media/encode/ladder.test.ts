import { randomBytes } from 'node:crypto'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { planLadder } from '../../domain/encoding/ladder.ts'
import type { SourceFacts } from '../../domain/ingest/source-facts.ts'
import {
  encodeVideo,
  EVERY,
  H264,
  SEGMENTS,
  setUpMediaFixture,
  signal,
} from '../../test/fixtures/media-files.ts'
import { packageRendition } from '../package/package-rendition.ts'
import { verifyRendition } from '../package/verify-rendition.ts'
import { probeSource } from '../probe/probe-source.ts'
import { encodeAudio } from './encode-audio.ts'
import { makePoster } from './make-poster.ts'

const t = setUpMediaFixture()
const { make } = t

describe('a ladder', () => {
  let path: string
  let facts: SourceFacts
  const key = { keyIdHex: randomBytes(16).toString('hex'), keyHex: randomBytes(16).toString('hex') }

  beforeAll(async () => {
    path = await make(
      'lesson.mp4',
      ...'-f lavfi -i testsrc2=s=640x360:r=30000/1001:d=9 -f lavfi -i'.split(' '),
      'aevalsrc=0.1*sin(440*t)|0.1*sin(550*t)|0.1*sin(660*t)|0.1*sin(110*t)|0.1*sin(770*t)|0.1*sin(880*t):c=5.1:d=9',
      ...H264,
      '-c:a',
      'ac3',
    )
    facts = await probeSource(path, { signal })
  })

  it('is encoded from one decode, with keyframes at the same frames in every rung', async () => {
    const { displayWidth: width, displayHeight: height } = facts.video
    const outputs = planLadder({ width, height, availableResolutions: EVERY }).map((rung) => ({
      rung,
      outputPath: join(t.folder, `lesson-${rung.name}.mp4`),
    }))
    const seen: number[] = []
    await encodeVideo({
      sourcePath: path,
      facts,
      outputs,
      signal,
      onProgress: (f = 0) => seen.push(f),
    })
    expect(seen.at(-1)).toBe(1)
    const keyframes = await Promise.all(
      outputs.map(async ({ outputPath }) => {
        const wanted = ['-skip_frame', 'nokey', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0']
        return (
          await execa('ffprobe', ['-v', 'error', '-select_streams', 'v', ...wanted, outputPath])
        ).stdout
      }),
    )
    expect(new Set(keyframes).size).toBe(1)
    expect(keyframes[0]?.match(/\d+\.\d+/g)).toHaveLength(5)
  })

  it.each(['cenc', 'cbcs'] as const)(
    'is packaged in %s, decrypts to the encode, and is unencrypted nowhere',
    async (scheme) => {
      const encodedPath = join(t.folder, 'lesson-360p.mp4')
      const outputDir = join(t.folder, scheme)
      await mkdir(outputDir)
      const packaged = await packageRendition({
        inputPath: encodedPath,
        kind: 'video',
        outputDir,
        ...SEGMENTS,
        name: '360p',
        key,
        scheme,
        trackType: 'SD',
        language: null,
        label: null,
        pssh: [],
        signal,
      })
      expect(packaged.rendition).toMatchObject({
        width: 640,
        height: 360,
        frameRate: '30000/1001',
        codecs: expect.stringMatching(/^avc1\./),
      })
      expect(packaged.segmentPaths).toHaveLength(3)
      expect(packaged.rendition.durationMs).toBeGreaterThan(8_900)
      await verifyRendition({ packaged, encodedPath, key, signal })
      const wrong = { ...key, keyHex: randomBytes(16).toString('hex') }
      await expect(
        verifyRendition({ packaged, encodedPath, key: wrong, signal }),
      ).rejects.toMatchObject({
        code: 'verification_failed',
      })
      const other = join(t.folder, 'lesson-240p.mp4')
      await expect(
        verifyRendition({ packaged, encodedPath: other, key, signal }),
      ).rejects.toMatchObject({
        code: 'verification_failed',
      })
    },
  )

  it('has 5.1 audio as stereo at 48 kHz, as long as the picture', async () => {
    const [track] = facts.audio
    if (!track) throw new Error('no audio')
    expect(track.channels).toBe(6)
    const outputPath = join(t.folder, 'lesson-audio.mp4')
    await encodeAudio({
      sourcePath: path,
      facts,
      track,
      outputPath,
      signal,
      onProgress: () => undefined,
    })
    const outputDir = join(t.folder, 'audio')
    await mkdir(outputDir)
    const packaged = await packageRendition({
      inputPath: outputPath,
      kind: 'audio',
      outputDir,
      ...SEGMENTS,
      name: 'audio-0',
      key,
      scheme: 'cenc',
      trackType: 'AUDIO',
      language: 'en',
      label: null,
      pssh: [],
      signal,
    })
    expect(packaged.rendition).toMatchObject({
      codecs: 'mp4a.40.2',
      channels: 2,
      sampleRate: 48_000,
    })
    expect(Math.abs(packaged.rendition.durationMs - 9_000)).toBeLessThan(150)
    await verifyRendition({ packaged, encodedPath: outputPath, key, signal })
  })

  it('gets a poster that is not black', async () => {
    const poster = join(t.folder, 'poster.jpg')
    await makePoster({
      sourcePath: path,
      video: facts.video,
      durationMs: 9_000,
      outputPath: poster,
      signal,
    })
    expect((await stat(poster)).size).toBeGreaterThan(5_000)
  })
})
