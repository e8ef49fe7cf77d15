import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFfmpeg, SOURCE, type Encode } from './peer.ts'

// Parameters from svt/encore (release 1.0.0 and later, commit dc426c0b): encore-common/src/test/resources/profile/program.yml,
// the only ladder that the repository has (it has no default profile), and how encore-common/src/main/kotlin/se/svt/oss/encore/
// process/CommandBuilder.kt and model/profile/{VideoEncode,X26XEncode,AudioEncode}.kt make commands of it.
//
// As there by default: two passes, each one command for all outputs, with as many threads as x264 chooses. Departures: 480
// lines for 540 and 240 for 234, with the rates of the profile; the frame rate of the source for 25; neither thumbnails, which
// need a newer ffmpeg, nor the audio with enhanced dialogue. Encore packages nothing: other programs make segments of its files.

interface Output {
  height: number
  /** Of x264, its peak and its buffer. */
  rates: readonly [string, string, string]
  profile: 'high' | 'main' | 'baseline'
  level: string
  audioRate: string
}

const OUTPUTS: readonly Output[] = [
  {
    height: 1080,
    rates: ['3100k', '4700k', '6200k'],
    profile: 'high',
    level: '4.1',
    audioRate: '128k',
  },
  {
    height: 720,
    rates: ['2069k', '3104k', '4138k'],
    profile: 'main',
    level: '3.1',
    audioRate: '128k',
  },
  {
    height: 480,
    rates: ['1312k', '1968k', '2524k'],
    profile: 'main',
    level: '3.1',
    audioRate: '96k',
  },
  {
    height: 360,
    rates: ['806121', '1209182', '1612242'],
    profile: 'main',
    level: '3.1',
    audioRate: '96k',
  },
  {
    height: 240,
    rates: ['324051', '486077', '648102'],
    profile: 'baseline',
    level: '3.1',
    audioRate: '96k',
  },
]

const ALL_X264 = [
  ['deblock=0,0', 'aq-mode=1', 'aq-strength=1.0', 'chroma-qp-offset=-2', 'direct=auto'],
  ['keyint=192', 'keyint_min=96', 'me=hex', 'merange=16', 'scenecut=40', 'subme=9', 'trellis=2'],
].flat()
const BASELINE_X264 = ['cabac=0', '8x8dct=0', 'ref=3']
const OTHER_X264 = [
  ['b-adapt=2', 'bframes=6', 'b-bias=0', 'b-pyramid=2', 'rc-lookahead=60'],
  ['cabac=1', 'partitions=all', 'ref=4', 'weightp=2'],
].flat()

/** Two commands, each from one decode of the source; the audio is in each file, and in one of its own. */
export const encodeAsEncore: Encode = async (source, folder) => {
  // The statistics of the first pass, which are no result.
  const work = await mkdtemp(join(tmpdir(), 'reelgate-encore-'))
  const fileOf = (height: number): string => join(folder, `${height}.mp4`)
  try {
    const command = ['-xerror', '-i', source, '-filter_complex']
    const first = OUTPUTS.flatMap((output, index) =>
      ['-map', `[v${index}]`, '-an', pictureOf(output, 1), '-f', 'mp4', '/dev/null'].flat(),
    )
    await runFfmpeg([...command, pictureGraph(), ...first], work)
    const second = OUTPUTS.flatMap((output, index) => {
      const encoded = [...pictureOf(output, 2), ...audioOf(output.audioRate)]
      return ['-map', `[v${index}]`, '-map', `[a${index}]`, ...encoded, fileOf(output.height)]
    })
    const alone = ['-map', `[a${OUTPUTS.length}]`, '-vn', ...audioOf('128k')]
    const graph = `${pictureGraph()};${audioGraph()}`
    await runFfmpeg([...command, graph, ...second, ...alone, join(folder, 'stereo.mp4')], work)
  } finally {
    await rm(work, { recursive: true })
  }
  return new Map(OUTPUTS.map(({ height }) => [height, fileOf(height)]))
}

function pictureGraph(): string {
  const split = OUTPUTS.map((_, index) => `[s${index}]`).join('')
  const scaled = OUTPUTS.map(({ height }, index) => `[s${index}]scale=-2:${height}[v${index}]`)
  return ['sws_flags=bicubic', `[0:v]split=${OUTPUTS.length}${split}`, ...scaled].join(';')
}

function audioGraph(): string {
  const indexes = Array.from({ length: OUTPUTS.length + 1 }, (_, index) => index)
  const split = indexes.map((index) => `[t${index}]`).join('')
  const stereo = indexes.map((index) => `[t${index}]aformat=channel_layouts=stereo[a${index}]`)
  return [`[0:a:0]asplit=${indexes.length}${split}`, ...stereo].join(';')
}

function pictureOf({ height, rates, profile, level }: Output, pass: 1 | 2): string[] {
  const [rate, peak, buffer] = rates
  const own = profile === 'baseline' ? BASELINE_X264 : OTHER_X264
  const x264 = [...ALL_X264, ...own, `pass=${pass}`, `stats=log-${height}`].join(':')
  return [
    ['-b:v', rate, '-maxrate', peak, '-bufsize', buffer],
    ['-r', String(SOURCE.fps), '-fps_mode', 'cfr', '-pix_fmt', 'yuv420p'],
    ['-force_key_frames', 'expr:not(mod(n,96))', '-profile:v', profile, '-level', level],
    ['-x264-params', x264, '-c:v', 'libx264'],
  ].flat()
}

const audioOf = (rate: string): string[] => ['-c:a', 'aac', '-ar', '48000', '-b:a', rate]
