import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import {
  planChunk,
  planChunks,
  segmentSeconds,
  WHOLE_VIDEO,
  withoutHead,
  type Chunk,
} from '../../domain/encoding/chunks.ts'
import { planLadder, type Rung } from '../../domain/encoding/ladder.ts'
import type { SourceFacts } from '../../domain/ingest/source-facts.ts'
import { encodeChunk, pictureArguments } from '../../media/encode/encode-chunk.ts'
import { packageRendition } from '../../media/package/package-rendition.ts'
import { probeSource } from '../../media/probe/probe-source.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { ensureSource } from '../make-source.ts'
import { childrenCpuSeconds } from './cpu-time.ts'

/** Ten minutes, keyframes up to ten seconds apart. */
const VIDEO = { size: [1280, 720], fps: 24, seconds: 60, loops: 10 } as const
const CPU_MAX = 1.06
const SIZE_MAX = 1.005

interface Video {
  sourcePath: string
  facts: SourceFacts
  /** Encoded from one decode, as the workflow does: the first rung, and all others. */
  groups: Rung[][]
  folder: string
}

/** What an encode of a video, whole or in chunks, took; and what it made of the largest rung. */
interface Cost {
  cpuSeconds: number
  bytes: number
  /** Mean SSIM of the luma against the source, in dB. */
  ssimDb: number
}

/** Compares the ladder of a video that is encoded and packaged in chunks with that of the same video encoded whole. */
export async function benchChunkCost(): Promise<Figure[]> {
  const cache = resolve('.cache', 'bench')
  await mkdir(cache, { recursive: true })
  const [width, height] = VIDEO.size
  const sourcePath = join(cache, `source-${height}p-600s.mp4`)
  await ensureSource(sourcePath, VIDEO)
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-'))
  try {
    const facts = await probeSource(sourcePath, { signal })
    const [first, ...others] = planLadder({ width, height, availableResolutions })
    if (!first) throw new Error('no rung')
    const video = { sourcePath, facts, groups: [[first], others], folder }
    const whole = await costOf(video, [WHOLE_VIDEO])
    const chunked = await costOf(video, chunksOf(facts))
    return figuresOf(whole, chunked, await bytesPerDb(video))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const { signal } = new AbortController()
const availableResolutions = [240, 360, 480, 720]

function chunksOf(facts: SourceFacts): Chunk[] {
  const plan = withoutHead(planChunks(facts))
  const { frameRate } = facts.video
  return Array.from({ length: plan.count }, (_, index) => planChunk(plan, frameRate, index))
}

function figuresOf(whole: Cost, chunked: Cost, logBytesPerDb: number): Figure[] {
  const video = `${VIDEO.seconds * VIDEO.loops} s of ${VIDEO.size[1]}p`
  const lostDb = whole.ssimDb - chunked.ssimDb
  const equalBytes = chunked.bytes * Math.exp(lostDb * logBytesPerDb)
  return [
    atMost(`processor time in chunks against whole, ${video}`, chunked.cpuSeconds, 's', {
      anchor: whole.cpuSeconds,
      most: CPU_MAX,
    }),
    atMost('size in chunks against whole, at equal SSIM', equalBytes / 1e6, 'MB', {
      anchor: whole.bytes / 1e6,
      most: SIZE_MAX,
    }),
    asInformation('size in chunks against whole', chunked.bytes / 1e6, 'MB', {
      anchor: whole.bytes / 1e6,
    }),
    asInformation('SSIM in chunks against whole', chunked.ssimDb, 'dB', { anchor: whole.ssimDb }),
  ]
}

/** Encodes and packages all chunks, then compares those of the largest rung with the source: that takes long. */
async function costOf(video: Video, chunks: Chunk[]): Promise<Cost> {
  const isOnly = chunks[0] === WHOLE_VIDEO
  const before = childrenCpuSeconds(process.pid)
  const files: PublishedChunk[] = []
  for (const chunk of chunks) files.push(await publish(video, chunk, isOnly))
  const cpuSeconds = childrenCpuSeconds(process.pid) - before
  let [bytes, frames, similarity] = [0, 0, 0]
  for (const [index, chunk] of chunks.entries()) {
    const file = files[index]
    if (!file) throw new Error('no file')
    const part = await similarityOf(video, file.rung, chunk, isOnly, file.path)
    bytes += file.bytes
    frames += part.frames
    similarity += part.frames * part.ssim
  }
  return { cpuSeconds, bytes, ssimDb: -10 * Math.log10(1 - similarity / frames) }
}

/** The encoded file of the largest rung, and the bytes of its segments. */
interface PublishedChunk {
  rung: Rung
  path: string
  bytes: number
}

/** Encodes and packages a chunk of all rungs. */
async function publish(video: Video, chunk: Chunk, isOnly: boolean): Promise<PublishedChunk> {
  const { sourcePath, facts, folder, groups } = video
  const name = isOnly ? 'whole' : String(chunk.index)
  let published: PublishedChunk | undefined
  for (const rungs of groups) {
    const outputs = rungs.map((rung) => ({
      rung,
      outputPath: join(folder, `${name}-${rung.name}.mp4`),
    }))
    await encodeChunk({ sourcePath, facts, chunk, isOnly, outputs, signal })
    for (const { rung, outputPath: path } of outputs)
      published = { rung, path, bytes: await packagedBytes(video, rung, chunk, path) }
  }
  if (!published) throw new Error('no rung')
  return published
}

const KEY = { keyIdHex: '00'.repeat(15) + '01', keyHex: '00'.repeat(15) + '02', ivHex: null }

/** Packages an encoded chunk. Returns the bytes of its segments. */
async function packagedBytes(
  { facts, folder }: Video,
  { name, trackType }: Rung,
  { firstSegment }: Chunk,
  inputPath: string,
): Promise<number> {
  const outputDir = await mkdtemp(join(folder, 'packaged-'))
  const { rendition } = await packageRendition({
    signal,
    inputPath,
    outputDir,
    kind: 'video',
    name,
    trackType,
    language: null,
    label: null,
    // A fixed key is fine here, because nothing is published.
    key: KEY,
    scheme: 'cenc',
    pssh: [],
    firstSegment,
    segmentSeconds: segmentSeconds(facts.video.frameRate),
  })
  await rm(outputDir, { recursive: true })
  return rendition.segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** Compares an encoded chunk with what its encoder got. */
async function similarityOf(
  { sourcePath, facts }: Video,
  rung: Rung,
  chunk: Chunk,
  isOnly: boolean,
  path: string,
): Promise<{ frames: number; ssim: number }> {
  const outputs = [{ rung, outputPath: '' }]
  const args = pictureArguments({ sourcePath, facts, chunk, isOnly, outputs })
  const graph = `${args.at(-1)};[r0]setpts=PTS-STARTPTS[a];[1:v]setpts=PTS-STARTPTS[b];[b][a]ssim`
  const inputs = [...args.slice(0, -2), '-i', path]
  const output = ['-filter_complex', graph, '-f', 'null', '-']
  const { stderr } = await execa('ffmpeg', ['-hide_banner', '-nostdin', ...inputs, ...output])
  const [, ssim] = /SSIM Y:([\d.]+)/.exec(stderr) ?? []
  const frames = [...stderr.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1]
  if (ssim === undefined || frames === undefined) throw new Error(`no SSIM: ${stderr.slice(-500)}`)
  return { frames: Number(frames), ssim: Number(ssim) }
}

/** Measures how the logarithm of the size grows with the SSIM in dB, on the first chunk. */
async function bytesPerDb(video: Video): Promise<number> {
  const [first] = chunksOf(video.facts)
  if (!first) throw new Error('no chunk')
  const costAt = (change: number): Promise<Cost> => {
    const changed = (rung: Rung): Rung => ({ ...rung, crf: rung.crf + change })
    return costOf({ ...video, groups: video.groups.map((rungs) => rungs.map(changed)) }, [first])
  }
  const better = await costAt(-1)
  const worse = await costAt(1)
  return Math.log(better.bytes / worse.bytes) / (better.ssimDb - worse.ssimDb)
}
