import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { isWorthCopying } from '../../domain/encoding/chunks.ts'
import { encodeChunks, framesFor, planVideo } from '../../test/fixtures/chunked-video.ts'
import {
  encodeVideo,
  H264,
  picture,
  setUpMediaFixture,
  signal,
  tone,
} from '../../test/fixtures/media-files.ts'
import { someOf } from '../../test/infrastructure/every-case.ts'
import { probeSource } from '../probe/probe-source.ts'
import { copyPicture } from './copy-picture.ts'

const t = setUpMediaFixture()
const moving = (rate: string, seconds = 9) => picture('64x48', rate, seconds)
const audio = [...tone(9), '-c:a', 'aac']
const PACKET_BYTES = 188

const openGroups = [...H264, '-x264-params', 'open-gop=1:keyint=75:bframes=3']
const broadcast = [...moving('30000/1001'), ...audio, ...openGroups, '-output_ts_offset', '4000']

async function cut(name: string, path: string, ...[from, to]: [number, number?]): Promise<string> {
  const bytes = await readFile(path)
  const target = `${path}.${name}`
  await writeFile(target, bytes.subarray(from * PACKET_BYTES, to))
  return target
}

const SOURCES: [title: string, make: () => Promise<string>][] = [
  [
    'MPEG-TS of 29.97 frames per second with open groups, whose times begin late',
    () => t.make('open.ts', ...broadcast),
  ],
  [
    'MPEG-TS whose picture begins after its audio',
    () => {
      const late = ['-vf', 'setpts=PTS+1.5/TB', '-vsync', 'passthrough', ...H264, '-bf', '2']
      return t.make('late.ts', ...audio, ...moving('25', 7), ...late)
    },
  ],
  [
    'MPEG-TS that begins within a group',
    async () => cut('middle.ts', await t.make('whole.ts', ...broadcast), 200),
  ],
  [
    'MPEG-TS with MPEG-2 at 23.976 frames per second',
    () => t.make('mpeg2.ts', ...moving('24000/1001'), '-c:v', 'mpeg2video', '-bf', '2'),
  ],
  [
    'MPEG-TS with interlaced frames',
    () => {
      const interlaced = ['-vf', 'interlace=scan=tff', ...H264, '-flags', '+ildct+ilme']
      return t.make('interlaced.ts', ...moving('50'), ...interlaced, '-bf', '2', '-g', '100')
    },
  ],
  [
    'MPEG-TS with HEVC in HDR',
    () => {
      const hevc = '-c:v libx265 -preset ultrafast -pix_fmt yuv420p10le'.split(' ')
      const hdr = '-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc'.split(' ')
      const options = ['-x265-params', 'log-level=error:hdr10=1:keyint=90:bframes=3']
      return t.make('hevc.ts', ...moving('25'), ...hevc, ...hdr, ...options)
    },
  ],
  [
    'MPEG-TS whose clock begins again at zero',
    () => t.make('wrap.ts', ...moving('25'), ...H264, '-bf', '2', '-output_ts_offset', '95437'),
  ],
  [
    'MPEG-TS with a frame that is held over a seam',
    () => {
      const held = ['-vf', `select='not(between(t,2.5,6.4))'`, '-vsync', 'vfr']
      return t.make('held.ts', ...moving('25'), ...held, ...H264, '-bf', '2')
    },
  ],
  [
    'MPEG-TS in full range',
    () =>
      t.make('range.ts', ...moving('25'), ...H264.slice(0, -1), 'yuvj420p', '-colorspace', 'bt709'),
  ],
  ['FLV', () => t.make('film.flv', ...moving('24000/1001'), ...H264, '-bf', '3', '-g', '60')],
  [
    'MXF at 23.976 frames per second',
    () => t.make('film.mxf', ...moving('24000/1001'), '-c:v', 'mpeg2video', '-bf', '2'),
  ],
]

const copyOf = async (sourcePath: string): Promise<string | null> => {
  const facts = await probeSource(sourcePath, { signal })
  const outputPath = `${sourcePath}.copy`
  return (await copyPicture({ sourcePath, facts, outputPath, signal })) ? outputPath : null
}

describe('chunks that are read from the copy of a picture show what an encode of the whole file shows', () => {
  it.each(someOf(SOURCES, 4))('%s', async (_title, make) => {
    const path = await make()
    const video = await planVideo(path, (await copyOf(path)) ?? undefined)
    expect(isWorthCopying(video.facts, 4)).toBe(true)
    expect(video.chunks.length).toBeGreaterThan(1)
    const whole = await framesFor(video)
    const parts = await Promise.all(video.chunks.map((chunk) => framesFor(video, chunk)))
    expect(parts.flat()).toEqual(whole)
    const outputs = [{ rung: video.rung, outputPath: `${path}.whole.mp4` }]
    const encoded = await encodeVideo({ sourcePath: path, facts: video.facts, outputs, signal })
    const { encodings } = await encodeChunks(video)
    const sum = (of: (one: typeof encoded) => number): number =>
      encodings.reduce((total, one) => total + of(one.encoded), 0)
    expect(sum(({ frames }) => frames)).toBe(encoded.frames)
    for (const one of encodings)
      expect(one.encoded).toMatchObject({ framesUndecodable: 0, hasSkipped: false, isCut: false })
  })
})

it('a video of three hours can be copied', async () => {
  const shape = [...picture('64x48', 1, 10_800), ...H264, '-tune', 'stillimage']
  expect(await copyOf(await t.make('long.ts', ...shape))).not.toBeNull()
})

const plain = (seconds: number, size = '64x48') => [...picture(size, '25', seconds), ...H264]

const DOUBTFUL: [title: string, make: () => Promise<string>][] = [
  [
    'a jump in time',
    async () => {
      const held = `setpts='if(gte(N,100),PTS+20/TB,PTS)'`
      return t.make('jump.ts', ...plain(9), '-vf', held, '-vsync', 'passthrough')
    },
  ],
  [
    'times that go back',
    async () => {
      const half = await readFile(await t.make('half.ts', ...plain(5)))
      const path = await t.make('back.ts', ...plain(5))
      await writeFile(path, Buffer.concat([half, half]))
      return path
    },
  ],
  [
    'a change of the size of the picture',
    async () => {
      const [wide, tall] = await Promise.all([
        t.make('wide.h264', ...plain(5)),
        t.make('tall.h264', ...plain(5, '48x64')),
      ])
      await writeFile(wide, Buffer.concat([await readFile(wide), await readFile(tall)]))
      return t.make('sizes.ts', '-r', '25', '-i', wide, '-c', 'copy')
    },
  ],
  [
    'missing packets',
    async () => {
      const path = await t.make('holes.ts', ...plain(9))
      const bytes = await readFile(path)
      const hole = Math.floor(bytes.length / 2 / PACKET_BYTES) * PACKET_BYTES
      await writeFile(
        path,
        Buffer.concat([bytes.subarray(0, hole), bytes.subarray(hole + 3 * PACKET_BYTES)]),
      )
      return path
    },
  ],
  [
    'pictures without a time',
    () => t.make('film.mpg', ...moving('25'), '-c:v', 'mpeg2video', '-bf', '2'),
  ],
]

describe('a picture is not read from a copy, so that its video is encoded whole, if its file has', () => {
  it.each(someOf(DOUBTFUL, 3))('%s', async (_title, make) => {
    expect(await copyOf(await make())).toBeNull()
  })

  it('a container or a codec that the copy cannot hold, or one chunk', async () => {
    const facts = await probeSource(await t.make('short.ts', ...plain(9)), { signal })
    expect(isWorthCopying(facts)).toBe(false)
    expect(isWorthCopying({ ...facts, container: 'mov,mp4,m4a,3gp,3g2,mj2' }, 4)).toBe(false)
    expect(isWorthCopying({ ...facts, container: 'mpeg' }, 4)).toBe(false)
    expect(isWorthCopying({ ...facts, video: { ...facts.video, codec: 'flv1' } }, 4)).toBe(false)
    expect(isWorthCopying(facts, 4)).toBe(true)
  })
})
