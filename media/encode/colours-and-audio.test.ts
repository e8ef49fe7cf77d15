import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { planLadder } from '../../domain/encoding/ladder.ts'
import { encodeVideo, H264, setUpMediaFixture, signal } from '../../test/fixtures/media-files.ts'
import { probeSource } from '../probe/probe-source.ts'
import { encodeAudio } from './encode-audio.ts'
import { makePoster } from './make-poster.ts'

const t = setUpMediaFixture()
const { make } = t

/** The colour of the middle of a file's first picture, from 0 to 255, converted by its tags. */
async function colourOf(path: string): Promise<number[]> {
  const filter = 'crop=2:2,format=rgb24'
  const output = ['-frames:v', '1', '-vf', filter, '-f', 'rawvideo', '-']
  const { stdout } = await execa('ffmpeg', ['-v', 'error', '-i', path, ...output], {
    encoding: 'buffer',
  })
  return [...stdout.subarray(0, 3)]
}

const GREEN = 'color=c=0x20a040:s=64x36:r=25:d=0.2'
const HD_GREEN = 'color=c=0x20a040:s=1280x720:r=25:d=0.2'

it.each([
  ['RGB in standard definition', GREEN, ['-c:v', 'ffv1', '-pix_fmt', 'bgr0']],
  ['RGB in high definition', HD_GREEN, ['-c:v', 'ffv1', '-pix_fmt', 'bgr0']],
  [
    'BT.709 with tags',
    `${HD_GREEN},format=gbrp,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709`,
    H264,
  ],
  ['Motion JPEG in full range', GREEN, ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj444p', '-q:v', '2']],
])('keeps the colours of %s in the encode and in the poster', async (_title, source, encoder) => {
  const path = await make('colour.mkv', '-f', 'lavfi', '-i', source, ...encoder)
  const facts = await probeSource(path, { signal })
  const { displayWidth: width, displayHeight: height } = facts.video
  const [rung] = planLadder({ width, height, availableResolutions: [240] })
  if (!rung) throw new Error('no rung')
  const outputPath = join(t.folder, 'colour-out.mp4')
  await encodeVideo({ sourcePath: path, facts, outputs: [{ rung, outputPath }], signal })
  const posterPath = join(t.folder, 'colour.jpg')
  const poster = { sourcePath: path, video: facts.video, durationMs: 200, signal }
  await makePoster({ ...poster, outputPath: posterPath })
  for (const made of [outputPath, posterPath]) {
    const [red = 0, green = 0, blue = 0] = await colourOf(made)
    expect(Math.abs(red - 0x20)).toBeLessThan(5)
    expect(Math.abs(green - 0xa0)).toBeLessThan(5)
    expect(Math.abs(blue - 0x40)).toBeLessThan(5)
  }
})

/** The level of the louder channel in decibels of full scale. */
async function peakOf(path: string): Promise<number> {
  const measure = ['-af', 'volumedetect', '-f', 'null', '-']
  const { stderr } = await execa('ffmpeg', ['-hide_banner', '-nostats', '-i', path, ...measure])
  return Number(/max_volume: (\S+) dB/.exec(stderr)?.[1])
}

/** Fades in and out, because the start of a tone exceeds its level in AAC. */
const TONE = '0.95*sin(880*PI*t)*sin(PI*t)'

it.each([
  // The centre is at -3 dB against the fronts; the sum of all is lowered to full scale.
  ['mono', [TONE], 'mono', -0.4],
  ['the effects channel of 5.1', ['0', '0', '0', TONE, '0', '0'], '5.1', -90],
  ['one front of 5.1', [TONE, '0', '0', '0', '0', '0'], '5.1', -8.1],
  ['the centre of 5.1', ['0', '0', TONE, '0', '0', '0'], '5.1', -11.1],
  ['a surround of 5.1', ['0', '0', '0', '0', TONE, '0'], '5.1', -11.1],
  ['all of 7.1', Array.from({ length: 8 }, () => TONE), '7.1', -0.4],
])('mixes %s to stereo without clipping', async (_title, channels, layout, expected) => {
  const audio = `aevalsrc=${channels.join('|')}:c=${layout}:s=48000:d=1`
  const picture = '-f lavfi -i color=red:s=64x64:r=5:d=1'.split(' ')
  const path = await make(
    'sound.mkv',
    ...picture,
    '-f',
    'lavfi',
    '-i',
    audio,
    '-c:a',
    'flac',
    ...H264,
  )
  const facts = await probeSource(path, { signal })
  const [track] = facts.audio
  if (!track) throw new Error('no audio')
  const outputPath = join(t.folder, 'sound-out.mp4')
  await encodeAudio({ sourcePath: path, facts, track, outputPath, signal })
  const peak = await peakOf(outputPath)
  if (expected === -90) expect(peak).toBeLessThan(-80)
  else expect(Math.abs(peak - expected)).toBeLessThan(0.8)
})
