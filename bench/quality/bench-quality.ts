import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseRungs, type RungSample, type Score } from '../../domain/encoding/choose-rungs.ts'
import { gopFrames } from '../../domain/encoding/chunks.ts'
import { planLadder, type Rung } from '../../domain/encoding/ladder.ts'
import type { EncodeMode } from '../../domain/ingest/encode-mode.ts'
import type { SourceFacts } from '../../domain/ingest/source-facts.ts'
import { framesPerSecond } from '../../domain/videos/rendition.ts'
import { encodeChunk } from '../../media/encode/encode-chunk.ts'
import { sampleRungs } from '../../media/encode/sample-rungs.ts'
import { probeSource } from '../../media/probe/probe-source.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { childrenCpuSeconds } from '../ingest/cpu-time.ts'
import { makeVideos, type Video } from './videos.ts'

const RESOLUTIONS = [240, 360, 720]
const { signal } = new AbortController()

/**
 * Encodes each video with `ENCODE_MODE=speed`, the anchor, and with `quality`: bytes at the same SSIM, bytes and SSIM of
 * the rungs that trial encodes choose, and processor time.
 */
export async function benchQuality(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-quality-'))
  try {
    const measured: Measured[] = []
    for (const video of await makeVideos(folder)) measured.push(await measure(video, folder))
    return [...measured.flatMap(figuresOf), ...totals(measured)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A video in one mode. */
interface Encoded {
  rungs: Rung[]
  samples: RungSample[]
  cpuSeconds: number
}

interface Measured extends Record<EncodeMode, Encoded> {
  name: string
  /** `quality`, with the rungs that its trial encodes choose. */
  chosen: Encoded
}

async function measure({ name, path }: Video, folder: string): Promise<Measured> {
  const facts = await probeSource(path, { signal })
  const { displayWidth: width, displayHeight: height } = facts.video
  const ladderOf = (mode: EncodeMode) =>
    planLadder({ width, height, availableResolutions: RESOLUTIONS, mode })
  const encode = (rungs: Rung[]) => encodeRungs(path, facts, rungs, folder)
  // One after the other, because the processor time is that of all children.
  const speed = await encode(ladderOf('speed'))
  const quality = await encode(ladderOf('quality'))
  return { name, speed, quality, chosen: await encode(chooseRungs(quality.rungs, quality.samples)) }
}

/** Encodes all of a video as one piece, and compares it with its source. */
async function encodeRungs(
  sourcePath: string,
  facts: SourceFacts,
  rungs: Rung[],
  folder: string,
): Promise<Encoded> {
  const { frameRate, durationMs } = facts.video
  const seconds = (durationMs ?? facts.durationMs ?? 0) / 1000
  const gop = gopFrames(frameRate)
  const endFrame = Math.floor((seconds * framesPerSecond(frameRate)) / gop) * gop
  const piece = { index: 1, startFrame: 0, endFrame, firstSegment: 1 }
  const outputDir = await mkdtemp(join(folder, 'encode-'))
  const outputs = rungs.map((rung) => ({ rung, outputPath: join(outputDir, `${rung.name}.mp4`) }))
  const before = childrenCpuSeconds(process.pid)
  await encodeChunk({ sourcePath, facts, chunk: piece, isOnly: false, outputs, signal })
  const cpuSeconds = childrenCpuSeconds(process.pid) - before
  const samples = await sampleRungs({
    sourcePath,
    facts,
    rungs,
    pieces: [piece],
    outputPathOf: (rung, kind) => join(outputDir, `${rung.name}-${kind}.mp4`),
    signal,
  })
  await rm(outputDir, { recursive: true })
  return { rungs, samples, cpuSeconds }
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
const scores = ({ samples }: Encoded): Score[] => samples.flatMap(({ fine }) => fine)
const totalBytes = (encoded: Encoded): number =>
  sum(scores(encoded).map(({ sizeBytes }) => sizeBytes))
const ssimOf = (encoded: Encoded): number =>
  sum(scores(encoded).map(({ ssimDb }) => 1 - 10 ** (-ssimDb / 10))) / scores(encoded).length

/**
 * The bytes of all rungs in `quality` at the SSIM that they have in `speed`. Between two encodes, and beyond them, the
 * logarithm of the bytes grows evenly with the SSIM in decibels. Leaves out rungs whose SSIM hardly changes with the CRF.
 */
function atSameSsim({ speed, quality }: Measured): { bytes: number; anchor: number } {
  const pairs = quality.samples.flatMap(({ name, fine: [fine], coarse: [coarse] }) => {
    const [wanted] = speed.samples.find((one) => one.name === name)?.fine ?? []
    if (!fine || !coarse || !wanted || fine.ssimDb - coarse.ssimDb < 0.5) return []
    const part = (fine.ssimDb - wanted.ssimDb) / (fine.ssimDb - coarse.ssimDb)
    const bytes = fine.sizeBytes * (coarse.sizeBytes / fine.sizeBytes) ** part
    return [{ bytes, anchor: wanted.sizeBytes }]
  })
  return {
    bytes: sum(pairs.map(({ bytes }) => bytes)),
    anchor: sum(pairs.map(({ anchor }) => anchor)),
  }
}

function figuresOf(video: Measured): Figure[] {
  const { name, speed, quality, chosen } = video
  const same = atSameSsim(video)
  const crfs = chosen.rungs.map((rung) => `${rung.name} ${rung.crf}`).join(', ')
  const kB = (bytes: number): number => bytes / 1000
  return [
    ...(same.anchor > 0
      ? [
          asInformation(`${name}: bytes at the same SSIM`, kB(same.bytes), 'kB', {
            anchor: kB(same.anchor),
          }),
        ]
      : []),
    asInformation(`${name}: bytes, CRF ${crfs}`, kB(totalBytes(chosen)), 'kB', {
      anchor: kB(totalBytes(speed)),
    }),
    asInformation(`${name}: mean SSIM of these`, ssimOf(chosen), '', { anchor: ssimOf(speed) }),
    asInformation(`${name}: processor time`, quality.cpuSeconds, 's', { anchor: speed.cpuSeconds }),
  ]
}

function totals(videos: Measured[]): Figure[] {
  const same = videos.map(atSameSsim).filter(({ anchor }) => anchor > 0)
  const ratio = sum(same.map(({ bytes, anchor }) => bytes / anchor)) / same.length
  const total = (of: (video: Measured) => number): number => sum(videos.map(of))
  const speedSeconds = total(({ speed }) => speed.cpuSeconds)
  return [
    atMost('all: mean ratio of bytes at the same SSIM', ratio, '×', { most: 0.97 }),
    asInformation(
      'all: bytes with the chosen rungs',
      total(({ chosen }) => totalBytes(chosen)) / 1000,
      'kB',
      {
        anchor: total(({ speed }) => totalBytes(speed)) / 1000,
      },
    ),
    atMost(
      'all: processor time',
      total(({ quality }) => quality.cpuSeconds),
      's',
      { anchor: speedSeconds, most: 1.7 },
    ),
  ]
}
