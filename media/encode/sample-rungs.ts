import { stat } from 'node:fs/promises'
import { coarseCrf, type RungSample, type Score } from '../../domain/encoding/choose-rungs.ts'
import type { Chunk } from '../../domain/encoding/chunks.ts'
import type { Rung } from '../../domain/encoding/ladder.ts'
import type { SourcePicture } from '../../domain/ingest/source-facts.ts'
import { inputArguments, runFfmpeg } from '../ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import type { MediaWork } from '../run-tool.ts'
import { chunkInput, encodeChunk, pictureOf, type ChunkSource } from './encode-chunk.ts'
import { ladderGraph } from './picture-filter.ts'

interface SampleOptions extends MediaWork, ChunkSource {
  rungs: readonly Rung[]
  pieces: readonly Chunk[]
  /** Where the trial encodes of a rung are written, one piece after another. */
  outputPathOf: (rung: Rung, kind: Trial['kind']) => string
}

/** A trial encode: the rung with one of the two CRFs. */
interface Trial {
  rung: Rung
  kind: 'fine' | 'coarse'
  outputPath: string
}

/**
 * Encodes pieces of a video for trial, in each rung with its CRF and a higher one, and compares them with the source. Throws as `encodeChunk` does.
 */
export async function sampleRungs(options: SampleOptions): Promise<RungSample[]> {
  const { rungs, pieces, outputPathOf, onProgress } = options
  const bySize = rungs.toSorted((a, b) => a.height - b.height)
  const samples = bySize.map(({ name }): RungSample => ({
    name,
    fine: [],
    coarse: [],
    fromBelowDb: [],
  }))
  for (const [index, piece] of pieces.entries()) {
    const trials = bySize.flatMap((rung) => [
      { rung, kind: 'fine', outputPath: outputPathOf(rung, 'fine') } as const,
      {
        rung: { ...rung, crf: coarseCrf(rung) },
        kind: 'coarse',
        outputPath: outputPathOf(rung, 'coarse'),
      } as const,
    ])
    const work = { ...options, onProgress: () => onProgress?.() }
    await encodeChunk({ ...work, chunk: piece, isOnly: false, outputs: trials })
    const decibels = await compare(work, piece, trials)
    for (const { rung, kind, outputPath } of trials) {
      const sample = samples.find(({ name }) => name === rung.name)
      const { size: sizeBytes } = await stat(outputPath)
      sample?.[kind].push({ sizeBytes, ...scoreOf(decibels, rung, kind) })
      const fromBelowDb = decibels.get(`ssim@${rung.name}-below`)
      if (kind === 'fine' && fromBelowDb !== undefined) sample?.fromBelowDb.push(fromBelowDb)
    }
    onProgress?.((index + 1) / pieces.length)
  }
  return samples
}

/** Decibels by the name of the filter that measures them, such as `ssim@360p-fine`. */
type Decibels = ReadonlyMap<string, number>

function scoreOf(
  decibels: Decibels,
  { name }: Rung,
  kind: Trial['kind'],
): Omit<Score, 'sizeBytes'> {
  const [ssimDb, psnrDb] = ['ssim', 'psnr'].map((filter) =>
    decibels.get(`${filter}@${name}-${kind}`),
  )
  if (ssimDb === undefined || psnrDb === undefined)
    throw new MediaError('chunk_not_exact', 'A piece of the video could not be compared.')
  return { ssimDb, psnrDb }
}

/** Such as `[ssim@360p-fine @ 0x5581] [info] SSIM Y:0.978451 (16.665) U:…`, and `PSNR y:39.3166 u:…` */
const MEASURED = /^\[((?:ssim|psnr)@\S+) @ [^\]]*\] \[info\] (SSIM Y|PSNR y):(\S+)/
/** For equal pictures, whose decibels are infinite. */
const MOST_DB = 100

async function compare(
  { signal, stallMs, onProgress, niceness, ...source }: SampleOptions,
  piece: Chunk,
  trials: readonly Trial[],
): Promise<Decibels> {
  const decibels = new Map<string, number>()
  const onLogLine = (line: string): void => {
    const [, filter, metric, value] = MEASURED.exec(line) ?? []
    if (filter === undefined) return
    const db = metric === 'PSNR y' ? Number(value) : -10 * Math.log10(1 - Number(value))
    decibels.set(filter, Number.isFinite(db) ? Math.min(MOST_DB, db) : MOST_DB)
  }
  const inputs = trials.flatMap(({ outputPath }) => inputArguments(outputPath))
  const args = [
    [...chunkInput(source, piece), ...inputs],
    ['-filter_complex', comparison(pictureOf(source), piece, trials), '-f', 'null', '-'],
  ].flat()
  const work = { signal, stallMs, onProgress, niceness, onLogLine }
  const { exitCode } = await runFfmpeg(args, work)
  if (exitCode !== 0)
    throw new MediaError('chunk_not_exact', 'A piece of the video could not be compared.')
  return decibels
}

/** Pairs frames by their number, because the files have other time bases. */
const BY_NUMBER = 'settb=AVTB,setpts=N*1000'

/** The graph that compares each trial, and each rung scaled up to the next one, with the source in that size. */
function comparison(video: SourcePicture, piece: Chunk, trials: readonly Trial[]): string {
  const fine = trials.filter(({ kind }) => kind === 'fine')
  const rungs = fine.map(({ rung }) => rung)
  const parts = rungs.flatMap(({ name, width, height }, index) => {
    const below = rungs[index - 1]
    const references = ['a', 'b', 'c', 'd', ...(below ? ['e'] : [])].map((id) => `[${id}${index}]`)
    const pair = (kind: Trial['kind'], [one, two]: string[], file: string): string =>
      `${file}${BY_NUMBER}[${kind}${index}];[${kind}${index}]${one}ssim@${name}-${kind}[t${kind}${index}];` +
      `[t${kind}${index}]${two}psnr@${name}-${kind}`
    const [a = '', b = '', c = '', d = '', e] = references
    return [
      `[r${index}]${BY_NUMBER},split=${references.length}${references.join('')}`,
      pair('fine', [a, b], `[${1 + 2 * index}:v]`),
      pair('coarse', [c, d], `[${2 + 2 * index}:v]`),
      ...(e === undefined
        ? []
        : [
            `[${1 + 2 * (index - 1)}:v]${BY_NUMBER},scale=${width}:${height}:flags=bicubic[below${index}]`,
            `[below${index}]${e}ssim@${name}-below`,
          ]),
    ]
  })
  return [ladderGraph(video, rungs, piece), ...parts].join(';')
}
