import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { execa } from 'execa'
import { planLadder } from '../domain/ladder.ts'
import { encodeAudio } from './encode-audio.ts'
import { encodeRungs } from './encode-rungs.ts'
import { makePoster } from './make-poster.ts'
import { makeStoryboard } from './make-storyboard.ts'
import { packageRendition } from './package-rendition.ts'
import { probeSource } from './probe-source.ts'
import type { SourceFacts } from './probe-source.ts'
import { verifyRendition } from './verify-rendition.ts'

const signal = new AbortController().signal
const EVERY = [240, 360, 480, 720, 1080, 1440, 2160]
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-media-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const ffmpeg = (...args: string[]) =>
  execa('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args])

const picture = (size = '640x360', rate = 30, seconds = 2) => [
  ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${seconds}`],
]
const tone = (seconds = 2) => ['-f', 'lavfi', '-i', `sine=440:d=${seconds}`]
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

async function make(name: string, ...args: string[]): Promise<string> {
  const path = join(folder, name)
  await ffmpeg(...args, path)
  return path
}

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
  const facts = await probeSource(path, signal)
  const { displayWidth: width, displayHeight: height } = facts.video
  const rungs = planLadder({ width, height, availableResolutions: EVERY })
  const rung = rungs[0]
  if (!rung) throw new Error('no rung')
  const outputPath = `${path}.out.mp4`
  const outputs = [{ rung, outputPath }]
  await encodeRungs({ sourcePath: path, facts, outputs, signal, onProgress: () => undefined })
  const { stdout } = await execa('ffprobe', [
    ...['-v', 'error', '-count_frames', '-select_streams', 'v:0', '-of', 'json'],
    ...['-show_entries', 'stream=width,height,nb_read_frames,pix_fmt,sample_aspect_ratio,duration'],
    outputPath,
  ])
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

describe('files that must play', () => {
  it('portrait: the rung is named by the short side', async () => {
    const path = await make('portrait.mp4', ...picture('540x960', 30, 1), ...H264)
    expect(await encodeLowest(path)).toMatchObject({
      width: 360,
      height: 640,
      names: ['360p', '240p', '480p'],
    })
  })

  it('rotated by a display matrix: turned upright', async () => {
    const flat = await make('flat.mp4', ...picture('640x360', 30, 1), ...H264)
    const path = await make('rotated.mp4', '-i', flat, '-c', 'copy', '-metadata:s:v', 'rotate=90')
    const encoded = await encodeLowest(path)
    expect(encoded.facts.video).toMatchObject({ displayWidth: 360, displayHeight: 640 })
    expect(encoded).toMatchObject({ width: 360, height: 640 })
  })

  it('odd sizes and 4:4:4: even, 4:2:0, 8 bit', async () => {
    const path = await make(
      'odd.mkv',
      ...picture('853x479', 25, 1),
      '-c:v',
      'libx264',
      '-pix_fmt',
      'yuv444p',
    )
    const encoded = await encodeLowest(path)
    expect(encoded.pixelFormat).toBe('yuv420p')
    expect(encoded.width % 2).toBe(0)
    expect(encoded.height).toBe(360)
  })

  it('pixels that are not square: shown at their aspect', async () => {
    const path = await make(
      'sar.mp4',
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=720x576:r=25:d=1,setsar=16/11',
      ...H264,
    )
    const { facts, width, height } = await encodeLowest(path)
    expect(facts.video.displayWidth).toBe(1047)
    expect(width / height).toBeCloseTo(1047 / 576, 1)
  })

  it('a variable rate: made constant, at its length', async () => {
    const select = "select='if(lt(t,1),1,not(mod(n,5)))'"
    const path = await make(
      'vfr.mp4',
      ...picture('640x360', 30, 3),
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
    ['120 frames a second', 'f120.mp4', 120, 60],
    ['one frame a second', 'f1.mp4', 1, 1],
  ])('%s', async (_title, name, rate, expected) => {
    const path = await make(name, ...picture('320x240', rate, 2), ...H264)
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
    const path = await make('hdr.mp4', ...picture('640x360', 30, 1), ...hdr, ...colours)
    const { facts, pixelFormat } = await encodeLowest(path)
    expect(facts.video.hdr).toBe('pq')
    expect(pixelFormat).toBe('yuv420p')
  })

  it('interlaced MPEG-2: deinterlaced', async () => {
    const path = await make(
      'interlaced.ts',
      ...['-f', 'lavfi', '-i', 'testsrc2=s=720x576:r=50:d=1', '-vf', 'interlace=scan=tff'],
      ...['-c:v', 'mpeg2video', '-flags', '+ildct+ilme', '-b:v', '4M'],
    )
    const { facts, frames } = await encodeLowest(path)
    expect(facts.video.interlaced).toBe(true)
    expect(frames).toBeGreaterThan(20)
  })

  it.each([
    ['smaller than every rung', '96x64', 15, ['64p'], 96, 64],
    ['very wide', '2560x360', 30, ['360p', '240p'], 2560, 360],
  ])('a picture %s', async (_title, size, rate, names, width, height) => {
    const path = await make(`${size}.mp4`, ...picture(size, rate, 1), ...H264)
    expect(await encodeLowest(path)).toMatchObject({ names, width, height })
  })

  it('a size that changes in mid-stream', async () => {
    const a = await make('a.ts', ...picture('640x360', 25, 1), '-c:v', 'mpeg2video')
    const b = await make('b.ts', ...picture('320x240', 25, 1), '-c:v', 'mpeg2video')
    const { readFile } = await import('node:fs/promises')
    const path = join(folder, 'change.ts')
    await writeFile(path, Buffer.concat([await readFile(a), await readFile(b)]))
    expect(await encodeLowest(path)).toMatchObject({ width: 640, height: 360 })
  })

  it('VP9 in WebM, and a fragmented MP4', async () => {
    const webm = await make(
      'vp9.webm',
      ...picture('320x240', 30, 1),
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
    )
    expect((await encodeLowest(webm)).frames).toBeGreaterThan(25)
    const fragmented = await make(
      'frag.mp4',
      ...picture('320x240', 30, 1),
      ...H264,
      '-movflags',
      'frag_keyframe+empty_moov',
    )
    expect((await encodeLowest(fragmented)).frames).toBeGreaterThan(25)
  })
})

describe('files that fail, and say why', () => {
  const refused = async (path: string): Promise<{ code: string; message: string }> => {
    try {
      await probeSource(path, signal)
    } catch (error) {
      return error as { code: string; message: string }
    }
    throw new Error('it was accepted')
  }

  it('audio alone, and audio with cover art', async () => {
    const plain = await make('audio.m4a', ...tone(), '-c:a', 'aac')
    expect(await refused(plain)).toMatchObject({ code: 'no_video_stream' })
    const cover = await make(
      'cover.m4a',
      ...tone(),
      ...['-f', 'lavfi', '-i', 'color=red:s=600x600:d=0.04', '-map', '0', '-map', '1'],
      ...['-c:a', 'aac', '-c:v', 'mjpeg', '-frames:v', '1', '-disposition:v', 'attached_pic'],
    )
    expect(await refused(cover)).toMatchObject({ code: 'no_video_stream' })
  })

  it('a file cut off before its index', async () => {
    const whole = await make('whole.mp4', ...picture(), ...H264)
    const path = join(folder, 'cut.mp4')
    const { readFile } = await import('node:fs/promises')
    await writeFile(path, (await readFile(whole)).subarray(0, 30_000))
    const { code, message } = await refused(path)
    expect(['unreadable_file', 'unsupported_container']).toContain(code)
    expect(message).not.toContain(folder)
  })

  it.each([
    ['mp4', ['-movflags', '+faststart']],
    ['mkv', []],
  ])('an %s cut off behind its index, once it is decoded', async (suffix, flags) => {
    const whole = await make(`long.${suffix}`, ...picture('640x360', 30, 8), ...H264, ...flags)
    const path = join(folder, `half.${suffix}`)
    const { readFile } = await import('node:fs/promises')
    const bytes = await readFile(whole)
    await writeFile(path, bytes.subarray(0, bytes.length / 2))
    const facts = await probeSource(path, signal)
    const [rung] = planLadder({ width: 640, height: 360, availableResolutions: [360] })
    if (!rung) throw new Error('no rung')
    const outputs = [{ rung, outputPath: join(folder, 'half-360p.mp4') }]
    const work = encodeRungs({ sourcePath: path, facts, outputs, signal, onProgress: () => {} })
    await expect(work).rejects.toMatchObject({
      code: 'unreadable_file',
      message: expect.stringMatching(/ends after [345] of 8 seconds/),
    })
  })

  it('nothing, noise and text', async () => {
    for (const [name, body] of [
      ['empty.mp4', Buffer.alloc(0)],
      ['noise.mp4', randomBytes(50_000)],
      ['text.mp4', Buffer.from('hello\n'.repeat(1000))],
    ] as const) {
      const path = join(folder, name)
      await writeFile(path, body)
      expect((await refused(path)).message).toMatch(/file/)
    }
  })

  it('playlists and scripts sent as video: neither a file nor an address in them is opened', async () => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked += 1
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const local = await make('local.mp4', ...picture('320x240', 30, 1), ...H264)
    const scripts = [
      `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nhttp://127.0.0.1:${port}/a.ts\n#EXT-X-ENDLIST\n`,
      `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://${local}\n#EXT-X-ENDLIST\n`,
      `ffconcat version 1.0\nfile '${local}'\n`,
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation><BaseURL>http://127.0.0.1:${port}/x.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
      `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${port} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    ]
    for (const [at, script] of scripts.entries()) {
      const path = join(folder, `script-${at}.mp4`)
      await writeFile(path, script)
      expect(await refused(path)).toMatchObject({ message: expect.any(String) })
    }
    expect(asked).toBe(0)
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('a ladder', () => {
  let path: string
  let facts: SourceFacts
  const key = { keyIdHex: randomBytes(16).toString('hex'), keyHex: randomBytes(16).toString('hex') }

  beforeAll(async () => {
    path = await make(
      'film.mp4',
      ...['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=30000/1001:d=9'],
      ...[
        '-f',
        'lavfi',
        '-i',
        'aevalsrc=0.1*sin(440*t)|0.1*sin(550*t)|0.1*sin(660*t)|0.1*sin(110*t)|0.1*sin(770*t)|0.1*sin(880*t):c=5.1:d=9',
      ],
      ...[...H264, '-c:a', 'ac3'],
    )
    facts = await probeSource(path, signal)
  })

  it('is encoded from one decode, with keyframes at the same frames in every rung', async () => {
    const { displayWidth: width, displayHeight: height } = facts.video
    const outputs = planLadder({ width, height, availableResolutions: EVERY }).map((rung) => ({
      rung,
      outputPath: join(folder, `film-${rung.name}.mp4`),
    }))
    const seen: number[] = []
    await encodeRungs({ sourcePath: path, facts, outputs, signal, onProgress: (f) => seen.push(f) })
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
    'is packaged in %s, decrypts to what was encoded, and is plain nowhere',
    async (scheme) => {
      const encodedPath = join(folder, 'film-360p.mp4')
      const outputDir = join(folder, scheme)
      await mkdir(outputDir)
      const packaged = await packageRendition({
        ...{
          inputPath: encodedPath,
          kind: 'video',
          outputDir,
          name: '360p',
          key,
          scheme,
          trackType: 'SD',
        },
        ...{ language: null, label: null, pssh: [], signal },
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
      const other = join(folder, 'film-240p.mp4')
      await expect(
        verifyRendition({ packaged, encodedPath: other, key, signal }),
      ).rejects.toMatchObject({
        code: 'verification_failed',
      })
    },
  )

  it('has 5.1 sound as stereo at 48 kHz, as long as the picture', async () => {
    const [track] = facts.audio
    if (!track) throw new Error('no audio')
    expect(track.channels).toBe(6)
    const outputPath = join(folder, 'film-audio.mp4')
    await encodeAudio({
      sourcePath: path,
      facts,
      track,
      outputPath,
      signal,
      onProgress: () => undefined,
    })
    const outputDir = join(folder, 'audio')
    await mkdir(outputDir)
    const packaged = await packageRendition({
      ...{
        inputPath: outputPath,
        kind: 'audio',
        outputDir,
        name: 'audio-0',
        key,
        scheme: 'cenc',
        trackType: 'AUDIO',
      },
      ...{ language: 'en', label: null, pssh: [], signal },
    })
    expect(packaged.rendition).toMatchObject({
      codecs: 'mp4a.40.2',
      channels: 2,
      sampleRate: 48_000,
    })
    expect(Math.abs(packaged.rendition.durationMs - 9_000)).toBeLessThan(150)
    await verifyRendition({ packaged, encodedPath: outputPath, key, signal })
  })

  it('gets a poster that is not black, and a storyboard with its index', async () => {
    const poster = join(folder, 'poster.jpg')
    const [spritePath, indexPath] = [join(folder, 'board.jpg'), join(folder, 'board.vtt')]
    await makePoster({
      sourcePath: path,
      video: facts.video,
      durationMs: 9_000,
      outputPath: poster,
      signal,
    })
    expect((await stat(poster)).size).toBeGreaterThan(5_000)
    await makeStoryboard({
      ...{ inputPath: join(folder, 'film-360p.mp4'), width: 640, height: 360, durationMs: 9_000 },
      ...{ spritePath, indexPath, signal },
    })
    const { readFile } = await import('node:fs/promises')
    const index = await readFile(indexPath, 'utf8')
    expect(index.match(/#xywh=/g)).toHaveLength(5)
    expect(index).toContain('00:00:08.000 --> 00:00:09.000\nstoryboard.jpg#xywh=640,0,160,90')
    const { stdout } = await execa('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=width,height',
      '-of',
      'csv=p=0',
      spritePath,
    ])
    expect(stdout.trim()).toBe('800,90')
  })
})

it('makes the poster of a film with oblong pixels as wide as the film is shown', async () => {
  const path = await make(
    'oblong.mp4',
    ...picture('720x576', 25, 2),
    '-vf',
    'setsar=64/45',
    ...H264,
  )
  const { video } = await probeSource(path, signal)
  const outputPath = join(folder, 'oblong.jpg')
  await makePoster({ sourcePath: path, video, durationMs: 2_000, outputPath, signal })
  const wanted = ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0']
  const { stdout } = await execa('ffprobe', [...wanted, outputPath])
  expect(stdout.trim()).toBe('1024,576')
})

describe('cancellation', () => {
  it('kills ffmpeg', async () => {
    const path = await make('long.mp4', ...picture('1280x720', 30, 20), ...H264)
    const facts = await probeSource(path, signal)
    const [rung] = planLadder({ width: 1280, height: 720, availableResolutions: [720] })
    if (!rung) throw new Error('no rung')
    const controller = new AbortController()
    const outputPath = join(folder, 'never.mp4')
    const work = encodeRungs({
      ...{ sourcePath: path, facts, outputs: [{ rung, outputPath }], signal: controller.signal },
      onProgress: () => controller.abort(),
    })
    await expect(work).rejects.toMatchObject({ code: 'aborted' })
    const { stdout } = await execa('pgrep', ['-f', outputPath], { reject: false })
    expect(stdout).toBe('')
  })
})
