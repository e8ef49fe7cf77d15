import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { planLadder } from '../../domain/encoding/ladder.ts'
import type { SourceFacts } from '../../domain/ingest/source-facts.ts'
import {
  encodeVideo,
  EVERY,
  H264,
  picture,
  setUpMediaFixture,
  signal,
} from '../../test/fixtures/media-files.ts'
import { probeSource } from '../probe/probe-source.ts'

const t = setUpMediaFixture()
const { make } = t
/** Of sources whose number of frames does not matter. */
const SHORT = 0.4

interface Encoded {
  facts: SourceFacts
  names: string[]
  width: number
  height: number
  frames: number
  seconds: number
  pixelFormat: string
}

/** Probes, plans and encodes the lowest rung, then looks at it with ffprobe. */
async function encodeLowest(path: string): Promise<Encoded> {
  const facts = await probeSource(path, { signal })
  const { displayWidth: width, displayHeight: height } = facts.video
  const rungs = planLadder({ width, height, availableResolutions: EVERY })
  const rung = rungs[0]
  if (!rung) throw new Error('no rung')
  const outputPath = `${path}.out.mp4`
  const outputs = [{ rung, outputPath }]
  await encodeVideo({ sourcePath: path, facts, outputs, signal, onProgress: () => undefined })
  const wanted = 'stream=width,height,nb_read_frames,pix_fmt,sample_aspect_ratio,duration'
  const probe = ['-v', 'error', '-count_frames', '-select_streams', 'v:0', '-of', 'json']
  const { stdout } = await execa('ffprobe', [...probe, '-show_entries', wanted, outputPath])
  const [s] = (JSON.parse(stdout) as { streams: Record<string, string | number>[] }).streams
  return {
    facts,
    names: rungs.map(({ name }) => name),
    width: Number(s?.width),
    height: Number(s?.height),
    frames: Number(s?.nb_read_frames),
    seconds: Number(s?.duration),
    pixelFormat: String(s?.pix_fmt),
  }
}

describe('files that become playable', () => {
  it('portrait: the rung is named by the short side', async () => {
    const path = await make('portrait.mp4', ...picture('540x960', 30, SHORT), ...H264)
    expect(await encodeLowest(path)).toMatchObject({
      width: 360,
      height: 640,
      names: ['360p', '240p', '480p'],
    })
  })

  it('rotated by a display matrix: turned upright', async () => {
    const flat = await make('flat.mp4', ...picture('640x360', 30, SHORT), ...H264)
    const path = await make('rotated.mp4', '-i', flat, '-c', 'copy', '-metadata:s:v', 'rotate=90')
    const encoded = await encodeLowest(path)
    expect(encoded.facts.video).toMatchObject({ displayWidth: 360, displayHeight: 640 })
    expect(encoded).toMatchObject({ width: 360, height: 640 })
  })

  it('odd sizes and 4:4:4: even, 4:2:0, 8 bit', async () => {
    const path = await make(
      'odd.mkv',
      ...picture('853x479', 25, SHORT),
      ...'-c:v libx264 -preset ultrafast -pix_fmt yuv444p'.split(' '),
    )
    const encoded = await encodeLowest(path)
    expect(encoded.pixelFormat).toBe('yuv420p')
    expect(encoded.width % 2).toBe(0)
    expect(encoded.height).toBe(360)
  })

  it('non-square pixels: displayed at their aspect ratio', async () => {
    const path = await make(
      'sar.mp4',
      '-f',
      'lavfi',
      '-i',
      `testsrc2=s=720x576:r=25:d=${SHORT},setsar=16/11`,
      ...H264,
    )
    const { facts, width, height } = await encodeLowest(path)
    expect(facts.video.displayWidth).toBe(1047)
    expect(width / height).toBeCloseTo(1047 / 576, 1)
  })

  it('a variable rate: made constant, with the same duration', async () => {
    const select = "select='if(lt(t,1),1,not(mod(n,5)))'"
    const path = await make(
      'vfr.mp4',
      ...picture('160x96', 30, 3),
      '-vf',
      select,
      '-vsync',
      'vfr',
      ...H264,
    )
    const { frames, facts, seconds } = await encodeLowest(path)
    expect(seconds).toBeCloseTo(3, 0)
    const [n = 0, d = 1] = facts.video.frameRate.split('/').map(Number)
    expect(Math.abs(frames - (seconds * n) / d)).toBeLessThanOrEqual(2)
  })

  it.each([
    ['120 frames per second', 'f120.mp4', 120, 60],
    ['one frame per second', 'f1.mp4', 1, 1],
  ])('%s', async (_title, name, rate, expected) => {
    const path = await make(name, ...picture('64x64', rate, 2), ...H264)
    const { facts } = await encodeLowest(path)
    expect(facts.video.frameRate).toBe(`${expected}/1`)
  })

  it('a single frame', async () => {
    const path = await make(
      'one.mp4',
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=640x360',
      '-frames:v',
      '1',
      ...H264,
    )
    expect((await encodeLowest(path)).frames).toBeGreaterThanOrEqual(1)
  })

  it('10 bit HDR: 8 bit SDR', async () => {
    const colours = [
      '-color_primaries',
      'bt2020',
      '-color_trc',
      'smpte2084',
      '-colorspace',
      'bt2020nc',
    ]
    const hdr = [
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p10le',
      '-x265-params',
      'log-level=error:hdr10=1',
    ]
    const path = await make('hdr.mp4', ...picture('160x96', 30, SHORT), ...hdr, ...colours)
    const { facts, pixelFormat } = await encodeLowest(path)
    expect(facts.video.hdr).toBe('pq')
    expect(pixelFormat).toBe('yuv420p')
  })

  it('interlaced MPEG-2: deinterlaced', async () => {
    const path = await make(
      'interlaced.ts',
      ...'-f lavfi -i testsrc2=s=180x144:r=50:d=1 -vf interlace=scan=tff'.split(' '),
      ...'-c:v mpeg2video -flags +ildct+ilme -b:v 1M'.split(' '),
    )
    const { facts, frames } = await encodeLowest(path)
    expect(facts.video.interlaced).toBe(true)
    expect(frames).toBeGreaterThan(20)
  })

  it.each([
    ['smaller than every rung', '96x64', 15, ['64p'], 96, 64],
    ['very wide', '2560x360', 30, ['360p', '240p'], 2560, 360],
  ])('a picture %s', async (_title, size, rate, names, width, height) => {
    const path = await make(`${size}.mp4`, ...picture(size, rate, SHORT), ...H264)
    expect(await encodeLowest(path)).toMatchObject({ names, width, height })
  })

  it('a size that changes mid-stream', async () => {
    const a = await make('a.ts', ...picture('640x360', 25, SHORT), '-c:v', 'mpeg2video')
    const b = await make('b.ts', ...picture('320x240', 25, SHORT), '-c:v', 'mpeg2video')
    const path = join(t.folder, 'change.ts')
    await writeFile(path, Buffer.concat([await readFile(a), await readFile(b)]))
    expect(await encodeLowest(path)).toMatchObject({ width: 640, height: 360 })
  })

  it('VP9 in WebM, and a fragmented MP4', async () => {
    const webm = await make(
      'vp9.webm',
      ...picture('96x64', 30, 1),
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
    )
    expect((await encodeLowest(webm)).frames).toBeGreaterThan(25)
    const fragmented = await make(
      'frag.mp4',
      ...picture('96x64', 30, 1),
      ...H264,
      '-movflags',
      'frag_keyframe+empty_moov',
    )
    expect((await encodeLowest(fragmented)).frames).toBeGreaterThan(25)
  })
})

describe('cancellation', () => {
  it('kills ffmpeg', async () => {
    const short = await make('short.mp4', ...picture('1280x720', 30, 1), ...H264)
    const path = await make('long.mp4', '-stream_loop', '29', '-i', short, '-c', 'copy')
    const facts = await probeSource(path, { signal })
    const [rung] = planLadder({ width: 1280, height: 720, availableResolutions: [720] })
    if (!rung) throw new Error('no rung')
    const controller = new AbortController()
    const outputPath = join(t.folder, 'never.mp4')
    const work = encodeVideo({
      sourcePath: path,
      facts,
      outputs: [{ rung, outputPath }],
      signal: controller.signal,
      onProgress: () => controller.abort(),
    })
    await expect(work).rejects.toMatchObject({ code: 'aborted' })
    const { stdout } = await execa('pgrep', ['-f', outputPath], { reject: false })
    expect(stdout).toBe('')
  })
})
