import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  framesFor,
  joinFilm,
  planFilm,
  publishFilm,
  shownFrames,
} from '../test/fixtures/chunked-film.ts'
import { H264, setUpMediaFixture } from '../test/fixtures/media-files.ts'

const t = setUpMediaFixture()
const moving = (rate: string, seconds = 10) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=s=160x96:r=${rate}:d=${seconds}`,
]
const sound = ['-f', 'lavfi', '-i', 'sine=440:d=10', '-c:a', 'aac']
/** One keyframe in the whole file, and frames that are shown in another order than they are stored. */
const rareKeyframes = [...H264, '-g', '600', '-bf', '3']
const held = `select='not(between(t,2.5,6.9))'`

const SOURCES: [title: string, name: string, args: string[] | (() => Promise<string[]>)][] = [
  ['a constant rate and rare keyframes', 'cfr.mp4', [...moving('25'), ...rareKeyframes]],
  [
    'a variable rate, with a frame that is held over a seam',
    'held.mp4',
    [...moving('25'), '-vf', held, '-vsync', 'vfr', ...rareKeyframes],
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
      ...sound,
      '-itsoffset',
      '1.5',
      ...moving('25', 9),
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
      const whole = await t.make('whole.mp4', ...moving('25', 14), ...H264, '-g', '100', '-bf', '3')
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
      ...['-x265-params', 'log-level=error:hdr10=1:keyint=90:bframes=3'],
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

describe('the chunks of a film have every frame once, at its time', () => {
  it.each(SOURCES)('%s', async (_title, name, args) => {
    const path = await t.make(name, ...(typeof args === 'function' ? await args() : args))
    const film = await planFilm(path)
    expect(film.chunks.length).toBeGreaterThan(1)
    const whole = await framesFor(film)
    const parts = await Promise.all(film.chunks.map((chunk) => framesFor(film, chunk)))
    expect(parts.flat()).toEqual(whole)
    const published = await publishFilm(film, 'cenc')
    const joined = await joinFilm(published, join(t.folder, `${name}.joined.mp4`))
    const shown = await shownFrames(joined, film.facts.video.frameRate)
    expect(shown).toHaveLength(whole.length)
    for (const [index, frame] of shown.entries()) expect(frame).toBeCloseTo(index, 1)
  })
})
