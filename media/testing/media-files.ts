import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'
import { execa } from 'execa'
import { planLadder } from '../../domain/ladder.ts'
import { encodeRungs } from '../encode-rungs.ts'
import { probeSource } from '../probe-source.ts'
import type { SourceFacts } from '../probe-source.ts'

/** One that is never aborted. */
export const { signal } = new AbortController()
export const EVERY = [240, 360, 480, 720, 1080, 1440, 2160]
export const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

/** Arguments of ffmpeg for a moving picture. */
export const picture = (size = '640x360', rate = 30, seconds = 2) => [
  ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${seconds}`],
]

/** Arguments of ffmpeg for a tone. */
export const tone = (seconds = 2) => ['-f', 'lavfi', '-i', `sine=440:d=${seconds}`]

interface MediaFiles {
  folder: string
  /** Makes a file in the folder with ffmpeg; resolves to its path. */
  make: (name: string, ...args: string[]) => Promise<string>
}

/** A folder for the files of one test file. */
export function setUpMedia(): MediaFiles {
  const files: MediaFiles = {
    folder: '',
    async make(name, ...args) {
      const path = join(files.folder, name)
      const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y']
      await execa('ffmpeg', [...quiet, ...args, path])
      return path
    },
  }
  beforeAll(async () => {
    files.folder = await mkdtemp(join(tmpdir(), 'reelgate-media-'))
  })
  afterAll(() => rm(files.folder, { recursive: true, force: true }))
  return files
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
export async function encodeLowest(path: string): Promise<Encoded> {
  const facts = await probeSource(path, { signal })
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
