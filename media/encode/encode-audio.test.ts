import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { H264, setUpMediaFixture, signal } from '../../test/fixtures/media-files.ts'
import { probeSource } from '../probe/probe-source.ts'
import { encodeAudio } from './encode-audio.ts'

const t = setUpMediaFixture()

/** Measures a file by another implementation of EBU R 128 than the encode uses. */
async function measure(path: string): Promise<{ lufs: number; peak: number }> {
  const filter = ['-af', 'loudnorm=print_format=json', '-f', 'null', '-']
  const { stderr } = await execa('ffmpeg', ['-hide_banner', '-nostats', '-i', path, ...filter])
  const value = (name: string) => Number(new RegExp(`"${name}" : "([^"]+)"`).exec(stderr)?.[1])
  return { lufs: value('input_i'), peak: value('input_tp') }
}

/** Encodes stereo audio that is given as an expression of ffmpeg. */
async function encode(audio: string, { normalizesLoudness = true, seconds = 6 } = {}) {
  const picture = ['-f', 'lavfi', '-i', `color=red:s=64x64:r=5:d=${seconds}`]
  const input = ['-f', 'lavfi', '-i', `aevalsrc='${audio}|${audio}':c=stereo:s=48000:d=${seconds}`]
  const path = await t.make('sound.mkv', ...picture, ...input, '-c:a', 'pcm_f32le', ...H264)
  const facts = await probeSource(path, { signal })
  const outputPath = join(t.folder, 'out.mp4')
  const options = { sourcePath: path, facts, track: facts.audio[0]!, outputPath, signal }
  const { loudness: measured } = await encodeAudio({ ...options, normalizesLoudness })
  return { measured, source: await measure(path), played: await measure(outputPath) }
}

const NOISE = '(random(0)-0.5)'
/** Speech at a third of the time: a tone that comes and goes, so that quiet parts fall below the gate. */
const SPEECH = 'sin(600*PI*t)*pow(max(0,sin(2*PI*t)),2)'

describe('the loudness of an audio track', () => {
  it.each([
    ['quiet', `0.01*${SPEECH}`],
    ['loud, with peaks beyond full scale', '1.2*sin(600*PI*t)+0.5*sin(2500*PI*t)'],
  ])('becomes -16 LUFS without clipping by one gain: %s', async (_title, audio) => {
    const { measured, source, played } = await encode(audio)
    expect(Math.abs((measured.integratedLufs ?? 0) - source.lufs)).toBeLessThan(0.3)
    expect(Math.abs((measured.truePeakDbtp ?? 0) - source.peak)).toBeLessThan(0.5)
    expect(Math.abs(played.lufs + 16)).toBeLessThan(0.5)
    expect(played.peak).toBeLessThan(0)
    expect(Math.abs(source.lufs + measured.gainDb - played.lufs)).toBeLessThan(0.5)
    expect(await readdir(t.folder)).toEqual(expect.not.arrayContaining(['out.mp4.flac']))
  })

  it('stays below -16 LUFS where a peak would clip', async () => {
    const click = '0.9*exp(-20000*pow(t-3,2))*cos(2000*PI*(t-3))'
    const { measured, played } = await encode(`0.03*sin(600*PI*t)+${click}`)
    expect(measured.gainDb).toBeLessThan(0.1)
    expect(played.lufs).toBeLessThan(-17)
    expect(played.peak).toBeLessThan(0)
  })

  it.each([
    ['silent', '0', 2],
    ['shorter than a block of the measurement', `0.1*${NOISE}`, 0.3],
  ])('is not changed if it is %s', async (_title, audio, seconds) => {
    const { measured } = await encode(audio, { seconds })
    expect(measured).toMatchObject({ integratedLufs: null, gainDb: 0 })
  })

  it('is measured and kept unless the account wants it equal', async () => {
    const { measured, source, played } = await encode(`0.1*${SPEECH}`, {
      normalizesLoudness: false,
    })
    expect(measured.gainDb).toBe(0)
    expect(Math.abs((measured.integratedLufs ?? 0) - source.lufs)).toBeLessThan(0.3)
    expect(Math.abs(played.lufs - source.lufs)).toBeLessThan(0.3)
  })
})
