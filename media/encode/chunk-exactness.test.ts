import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  encodeChunks,
  framesFor,
  joinVideo,
  packageChunks,
  planVideo,
  shownFrames,
  VIDEO_KEY,
  type EncodedVideo,
} from '../../test/fixtures/chunked-video.ts'
import { H264, picture, setUpMediaFixture, signal, tone } from '../../test/fixtures/media-files.ts'
import { someOf } from '../../test/infrastructure/every-case.ts'
import { verifyRendition } from '../package/verify-rendition.ts'
import { encodeChunk } from './encode-chunk.ts'

const t = setUpMediaFixture()
/** Eight seconds have two chunks, ten have three, of which the middle one has a seam at both ends. */
const moving = (rate: string, seconds = 8) => picture('64x48', rate, seconds)
const audio = [...tone(8), '-c:a', 'aac']
/** One keyframe in the whole file, and frames that are shown in another order than they are stored. */
const rareKeyframes = [...H264, '-g', '600', '-bf', '3']
const held = `select='not(between(t,2.5,6.9))'`

const SOURCES: [title: string, name: string, args: string[] | (() => Promise<string[]>)][] = [
  ['a constant rate and rare keyframes', 'cfr.mp4', [...moving('25', 10), ...rareKeyframes]],
  [
    'a variable rate, with a frame that is held over a seam',
    'held.mp4',
    [...moving('25', 10), '-vf', held, '-vsync', 'vfr', ...rareKeyframes],
  ],
  [
    '29.97 frames per second with open groups',
    'open.mp4',
    [...moving('30000/1001'), ...H264, '-x264-params', 'open-gop=1:keyint=75:bframes=3'],
  ],
  [
    '23.976 frames per second in milliseconds',
    'film.mkv',
    [...moving('24000/1001'), ...H264, '-bf', '3'],
  ],
  ['an odd rate', 'odd.mp4', [...moving('1513/100'), ...rareKeyframes]],
  [
    'VP8 in WebM',
    'vp8.webm',
    [...moving('30'), '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'],
  ],
  [
    'a picture that starts late',
    'late.mp4',
    [
      ...audio,
      '-itsoffset',
      '1.5',
      ...moving('25', 7),
      '-map',
      '0',
      '-map',
      '1',
      ...H264,
      '-bf',
      '2',
    ],
  ],
  [
    'an edit list',
    'edited.mp4',
    async () => {
      const whole = await t.make('whole.mp4', ...moving('25', 11), ...H264, '-g', '100', '-bf', '3')
      return ['-ss', '2.3', '-i', whole, '-c', 'copy']
    },
  ],
  [
    'interlaced frames',
    'interlaced.mp4',
    [...moving('50'), '-vf', 'interlace=scan=tff', ...H264, '-flags', '+ildct+ilme', '-g', '100'],
  ],
  [
    'HDR',
    'hdr.mp4',
    [
      ...moving('25'),
      ...'-c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -tag:v hvc1'.split(' '),
      ...'-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc'.split(' '),
      '-x265-params',
      'log-level=error:hdr10=1:keyint=90:bframes=3',
    ],
  ],
  [
    'a rotated picture',
    'rotated.mp4',
    async () => {
      const flat = await t.make('flat.mp4', ...moving('25'), ...H264, '-g', '60')
      return ['-i', flat, '-c', 'copy', '-metadata:s:v', 'rotate=90']
    },
  ],
  ['MPEG-4 in AVI', 'divx.avi', [...moving('25'), '-c:v', 'mpeg4', '-bf', '2', '-g', '90']],
  ['WMV', 'film.wmv', [...moving('25'), '-c:v', 'wmv2', '-g', '90']],
  ['ProRes', 'film.mov', [...moving('25'), '-c:v', 'prores_ks', '-profile:v', '0']],
  [
    'a fragmented MP4',
    'fragments.mp4',
    [...moving('25'), ...H264, '-g', '60', '-bf', '2', '-movflags', 'frag_keyframe+empty_moov'],
  ],
]

describe('the chunks of a video have every frame once, at its time', () => {
  it.each(someOf(SOURCES, 4))('%s', async (_title, name, args) => {
    const path = await t.make(name, ...(typeof args === 'function' ? await args() : args))
    const video = await planVideo(path)
    expect(video.chunks.length).toBeGreaterThan(1)
    const whole = await framesFor(video)
    const parts = await Promise.all(video.chunks.map((chunk) => framesFor(video, chunk)))
    expect(parts.flat()).toEqual(whole)
    const published = await packageChunks(await encodeChunks(video), 'cenc')
    const joined = await joinVideo(published, join(t.folder, `${name}.joined.mp4`))
    const shown = await shownFrames(joined, video.facts.video.frameRate)
    expect(shown).toHaveLength(whole.length)
    for (const [index, frame] of shown.entries()) expect(frame).toBeCloseTo(index, 1)
    expect(published.reduce((sum, { encoded }) => sum + encoded.frames, 0)).toBe(whole.length)
  })
})

let encoding: Promise<EncodedVideo> | undefined
const encodeOnce = () =>
  (encoding ??= t
    .make('ntsc.mp4', ...moving('30000/1001', 10), ...H264)
    .then(planVideo)
    .then(encodeChunks))

describe.each(['cenc', 'cbcs'] as const)('the chunks of a video in %s', (scheme) => {
  it('play behind one init segment, and continue its times and segment numbers', async () => {
    const ivHex = scheme === 'cbcs' ? 'b2'.repeat(16) : null
    const published = await packageChunks(await encodeOnce(), scheme, ivHex)
    expect(new Set(published.map(({ packaged }) => packaged.initHash)).size).toBe(1)
    let [number, ticks] = [1, 0]
    for (const { packaged, encodedPath } of published) {
      await verifyRendition({ packaged, encodedPath, key: VIDEO_KEY, signal })
      expect(packaged.startTicks).toBe(ticks)
      for (const [index, { durationTicks }] of packaged.rendition.segments.entries()) {
        expect(packaged.segmentPaths[index]).toMatch(new RegExp(`/${number}\\.m4s$`))
        number += 1
        ticks += durationTicks
      }
    }
    expect(ticks).toBe(300 * 1001)
    const moved = { ...published[1]!.packaged, startTicks: 1 }
    const { encodedPath } = published[1]!
    await expect(
      verifyRendition({ packaged: moved, encodedPath, key: VIDEO_KEY, signal }),
    ).rejects.toMatchObject({ code: 'verification_failed' })
  })
})

describe('a chunk whose frames the source does not give', () => {
  it('is refused: the source ends before it, or its index names frames that are no keyframes', async () => {
    const path = await t.make('short.mp4', ...moving('25', 6), ...H264, '-g', '600')
    const { facts, rung } = await planVideo(path)
    const behind = { index: 2, startFrame: 200, endFrame: 300, firstSegment: 3 }
    const outputs = [{ rung, outputPath: `${path}.out.mp4` }]
    const options = { sourcePath: path, facts, isOnly: false, outputs, signal }
    const refused = { code: 'chunk_not_exact' }
    await expect(encodeChunk({ ...options, chunk: behind })).rejects.toMatchObject(refused)
    // Without this box every frame counts as a keyframe, so a seek ends at one that cannot be decoded.
    const bytes = await readFile(path)
    bytes.write('free', bytes.indexOf('stss'), 'latin1')
    await writeFile(path, bytes)
    const middle = { index: 1, startFrame: 50, endFrame: 100, firstSegment: 2 }
    await expect(encodeChunk({ ...options, chunk: middle })).rejects.toMatchObject(refused)
  })
})
