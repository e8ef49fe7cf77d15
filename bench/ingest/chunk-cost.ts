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
const FILM = { size: [1280, 720], fps: 24, seconds: 60, loops: 10 } as const
const CPU_MAX = 1.06
const SIZE_MAX = 1.005

interface Film {
  sourcePath: string
  facts: SourceFacts
  /** Encoded from one decode, as the workflow does: the first rung, and all others. */
  groups: Rung[][]
  folder: string
}

/** What an encode of a film, whole or in chunks, took and made. */
interface Cost {
  cpuSeconds: number
  rungs: { bytes: number; ssimDb: number }[]
}

/** Compares the ladder of a film that is encoded and packaged in chunks with that of the same film encoded whole. */
export async function measureChunkCost(): Promise<Figure[]> {
  const cache = resolve('.cache', 'bench')
  await mkdir(cache, { recursive: true })
  const [width, height] = FILM.size
  const sourcePath = join(cache, `source-${height}p-600s.mp4`)
  await ensureSource(sourcePath, FILM)
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-'))
  try {
    const facts = await probeSource(sourcePath, { signal })
    const [first, ...others] = planLadder({ width, height, availableResolutions })
    if (!first) throw new Error('no rung')
    const film = { sourcePath, facts, groups: [[first], others], folder }
    const whole = await costOf(film, [WHOLE_FILM])
    const chunked = await costOf(film, chunksOf(facts))
    return figuresOf(whole, chunked, await bytesPerDb(film))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const { signal } = new AbortController()
const availableResolutions = [240, 360, 480, 720]

function chunksOf(facts: SourceFacts): Chunk[] {
  const plan = planChunks(facts)
  const { frameRate } = facts.video
  return Array.from({ length: plan.count }, (_, index) => chunkOf(plan, frameRate, index))
}

function figuresOf(whole: Cost, chunked: Cost, logBytesPerDb: number[]): Figure[] {
  const film = `${FILM.seconds * FILM.loops} s of ${FILM.size[1]}p`
  const megabytes = (values: number[]): number => values.reduce((sum, one) => sum + one, 0) / 1e6
  const wholeSize = megabytes(whole.rungs.map(({ bytes }) => bytes))
  const lostDb = chunked.rungs.map(({ ssimDb }, rung) => (whole.rungs[rung]?.ssimDb ?? 0) - ssimDb)
  const atEqualSsim = chunked.rungs.map(
    ({ bytes }, rung) => bytes * Math.exp((lostDb[rung] ?? 0) * (logBytesPerDb[rung] ?? 0)),
  )
  return [
    atMost(`processor time in chunks against whole, ${film}`, chunked.cpuSeconds, 's', {
      anchor: whole.cpuSeconds,
      most: CPU_MAX,
    }),
    atMost('size in chunks against whole, at equal SSIM', megabytes(atEqualSsim), 'MB', {
      anchor: wholeSize,
      most: SIZE_MAX,
    }),
    asInformation(
      'size in chunks against whole',
      megabytes(chunked.rungs.map(({ bytes }) => bytes)),
      'MB',
      { anchor: wholeSize },
    ),
    asInformation('SSIM lost in chunks, of the rung that loses most', Math.max(...lostDb), 'dB'),
  ]
}

interface Encoded {
  bytes: number
  frames: number
  ssim: number
}

/** Encodes and packages all chunks, then compares their files with the source. */
async function costOf(film: Film, chunks: Chunk[]): Promise<Cost> {
  const isOnly = chunks[0] === WHOLE_FILM
  const before = childrenCpuSeconds(process.pid)
  const files: { bytes: number; path: string }[][] = []
  for (const chunk of chunks) files.push(await publish(film, chunk, isOnly))
  const cpuSeconds = childrenCpuSeconds(process.pid) - before
  const rungs: Cost['rungs'] = []
  for (const [rung, one] of film.groups.flat().entries()) {
    const parts: Encoded[] = []
    for (const [index, chunk] of chunks.entries()) {
      const { bytes = 0, path = '' } = files[index]?.[rung] ?? {}
      parts.push({ bytes, ...(await similarityOf(film, one, chunk, isOnly, path)) })
    }
    rungs.push(joined(parts))
  }
  return { cpuSeconds, rungs }
}

function joined(parts: Encoded[]): Cost['rungs'][number] {
  const sum = (of: (part: Encoded) => number): number =>
    parts.reduce((total, part) => total + of(part), 0)
  const similarity = sum(({ frames, ssim }) => frames * ssim) / sum(({ frames }) => frames)
  return { bytes: sum(({ bytes }) => bytes), ssimDb: -10 * Math.log10(1 - similarity) }
}

/** Encodes and packages a chunk of all rungs. Returns the encoded files, and the bytes of their segments. */
async function publish(film: Film, chunk: Chunk, isOnly: boolean) {
  const { sourcePath, facts, folder, groups } = film
  const name = isOnly ? 'whole' : String(chunk.index)
  const published: { bytes: number; path: string }[] = []
  for (const rungs of groups) {
    const outputs = rungs.map((rung) => ({
      rung,
      outputPath: join(folder, `${name}-${rung.name}.mp4`),
    }))
    await encodeChunk({ sourcePath, facts, chunk, isOnly, outputs, signal })
    for (const { rung, outputPath: path } of outputs)
      published.push({ path, bytes: await packagedBytes(film, rung, chunk, path) })
  }
  return published
}

const KEY = { keyIdHex: '00'.repeat(15) + '01', keyHex: '00'.repeat(15) + '02', ivHex: null }

/** Packages an encoded chunk. Returns the bytes of its segments. */
async function packagedBytes(
  { facts, folder }: Film,
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
  { sourcePath, facts }: Film,
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

/** Measures for each rung how the logarithm of its size grows with the SSIM in dB, on the first chunk. */
async function bytesPerDb(film: Film): Promise<number[]> {
  const [first] = chunksOf(film.facts)
  if (!first) throw new Error('no chunk')
  const costAt = (change: number): Promise<Cost> => {
    const groups = film.groups.map((rungs) =>
      rungs.map((rung) => ({ ...rung, crf: rung.crf + change })),
    )
    return costOf({ ...film, groups }, [first])
  }
  const better = await costAt(-1)
  const worse = await costAt(1)
  return better.rungs.map(({ bytes, ssimDb }, rung) => {
    const other = worse.rungs[rung]
    if (!other) throw new Error('no rung')
    return Math.log(bytes / other.bytes) / (ssimDb - other.ssimDb)
  })
}
