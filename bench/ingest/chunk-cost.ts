import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { WHOLE_FILM, chunkOf, planChunks, segmentSeconds } from '../../domain/chunks.ts'
import type { Chunk } from '../../domain/chunks.ts'
import { planLadder } from '../../domain/ladder.ts'
import type { Rung } from '../../domain/ladder.ts'
import type { SourceFacts } from '../../domain/source-facts.ts'
import { encodeChunk, pictureArguments } from '../../media/encode-chunk.ts'
import { packageRendition } from '../../media/package-rendition.ts'
import { probeSource } from '../../media/probe-source.ts'
import { asInformation, atMost } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { ensureSource } from '../make-source.ts'
import { childrenCpuSeconds } from './cpu-time.ts'

/** Ten minutes, keyframes up to ten seconds apart. */
const FILM = { size: [640, 360], fps: 24, seconds: 60, loops: 10 } as const
const CPU_MAX = 1.06
/** Encodes of each kind, in turns. The least time counts: other load on the machine only adds to it. */
const TURNS = 3
const SIZE_MAX = 1.005

interface Film {
  sourcePath: string
  facts: SourceFacts
  rung: Rung
  folder: string
}

/** What an encode of a film, whole or in chunks, took and made. */
interface Cost {
  cpuSeconds: number
  bytes: number
  /** Mean SSIM of the luma against the source, in dB. */
  ssimDb: number
}

/** Compares a film that is encoded and packaged in chunks with the same film encoded whole: one rung of its own size. */
export async function measureChunkCost(): Promise<Figure[]> {
  const cache = resolve('.cache', 'bench')
  await mkdir(cache, { recursive: true })
  const sourcePath = join(cache, 'source-360p-600s.mp4')
  await ensureSource(sourcePath, FILM)
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-'))
  try {
    const facts = await probeSource(sourcePath, { signal })
    const [width, height] = FILM.size
    const rung = planLadder({ width, height, availableResolutions: [height] }).at(-1)
    if (!rung) throw new Error('no rung')
    const film = { sourcePath, facts, rung, folder }
    const chunks = chunksOf(facts)
    let [whole, chunked] = [
      await costOf(film, [WHOLE_FILM], true),
      await costOf(film, chunks, false),
    ]
    for (let turn = 1; turn < TURNS; turn += 1) {
      whole = await encodedAgain(film, whole, [WHOLE_FILM], true)
      chunked = await encodedAgain(film, chunked, chunks, false)
    }
    return figuresOf(whole, chunked, await bytesPerDb(film))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const { signal } = new AbortController()

function chunksOf(facts: SourceFacts): Chunk[] {
  const plan = planChunks(facts)
  const { frameRate } = facts.video
  return Array.from({ length: plan.count }, (_, index) => chunkOf(plan, frameRate, index))
}

function figuresOf(whole: Cost, chunked: Cost, logBytesPerDb: number): Figure[] {
  const film = `${FILM.seconds * FILM.loops} s of ${FILM.size[1]}p`
  const lostDb = whole.ssimDb - chunked.ssimDb
  const equalBytes = chunked.bytes * Math.exp(lostDb * logBytesPerDb)
  return [
    atMost(`processor time in chunks against whole, ${film}`, chunked.cpuSeconds, 's', {
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

async function costOf(film: Film, chunks: Chunk[], isOnly: boolean): Promise<Cost> {
  const { cpuSeconds, bytes, files } = await encode(film, chunks, isOnly)
  let [frames, similarity] = [0, 0]
  for (const [index, chunk] of chunks.entries()) {
    const part = await similarityOf(film, chunk, isOnly, files[index] ?? '')
    frames += part.frames
    similarity += part.frames * part.ssim
  }
  return { cpuSeconds, bytes, ssimDb: -10 * Math.log10(1 - similarity / frames) }
}

async function encode(film: Film, chunks: Chunk[], isOnly: boolean) {
  const before = childrenCpuSeconds(process.pid)
  let bytes = 0
  const files: string[] = []
  for (const chunk of chunks) {
    const path = join(film.folder, `${isOnly ? 'whole' : chunk.index}.mp4`)
    bytes += await publish(film, chunk, isOnly, path)
    files.push(path)
  }
  return { cpuSeconds: childrenCpuSeconds(process.pid) - before, bytes, files }
}

async function encodedAgain(
  film: Film,
  cost: Cost,
  chunks: Chunk[],
  isOnly: boolean,
): Promise<Cost> {
  const { cpuSeconds } = await encode(film, chunks, isOnly)
  return { ...cost, cpuSeconds: Math.min(cost.cpuSeconds, cpuSeconds) }
}

const KEY = { keyIdHex: '00'.repeat(15) + '01', keyHex: '00'.repeat(15) + '02', ivHex: null }

/** Encodes and packages a chunk. Returns the bytes of its segments. */
async function publish(
  { sourcePath, facts, rung, folder }: Film,
  chunk: Chunk,
  isOnly: boolean,
  path: string,
): Promise<number> {
  const outputs = [{ rung, outputPath: path }]
  await encodeChunk({ sourcePath, facts, chunk, isOnly, outputs, signal })
  const outputDir = await mkdtemp(join(folder, 'packaged-'))
  const { rendition } = await packageRendition({
    signal,
    inputPath: path,
    outputDir,
    kind: 'video',
    name: rung.name,
    trackType: rung.trackType,
    language: null,
    label: null,
    // A fixed key is fine here, because nothing is published.
    key: KEY,
    scheme: 'cenc',
    pssh: [],
    firstSegment: chunk.firstSegment,
    segmentSeconds: segmentSeconds(facts.video.frameRate),
  })
  await rm(outputDir, { recursive: true })
  return rendition.segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** Compares an encoded chunk with what its encoder got. */
async function similarityOf(
  { sourcePath, facts, rung }: Film,
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
async function bytesPerDb(film: Film): Promise<number> {
  const [first] = chunksOf(film.facts)
  if (!first) throw new Error('no chunk')
  const costAt = (crf: number): Promise<Cost> =>
    costOf({ ...film, rung: { ...film.rung, crf } }, [first], false)
  const better = await costAt(film.rung.crf - 1)
  const worse = await costAt(film.rung.crf + 1)
  return Math.log(better.bytes / worse.bytes) / (better.ssimDb - worse.ssimDb)
}
