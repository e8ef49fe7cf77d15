import { activityInfo } from '@temporalio/activity'
import { claimChunk, claimLaterChunk } from '../../commands/ingest/claim-chunk.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { hasClaim } from '../../db/ingest/chunk-claims.ts'
import { isChunkRecorded } from '../../db/ingest/rendition-chunks.ts'
import {
  planChunk,
  segmentFrames,
  segmentSeconds,
  type Chunk,
  type ChunkPlan,
} from '../../domain/encoding/chunks.ts'
import { damagedPercent } from '../../domain/encoding/damage.ts'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import type { Rung } from '../../domain/encoding/ladder.ts'
import type {
  EncodeChunkInput,
  EncodeNextChunkInput,
  EncodeNextPartInput,
  EncodePartInput,
  EncodeRungInput,
  RungGroup,
} from '../../domain/ingest/ingest.ts'
import { framesPerSecond } from '../../domain/videos/rendition.ts'
import { encodeChunk as encodePicture } from '../../media/encode/encode-chunk.ts'
import { withDeps, type ActivityDeps } from '../deps.ts'
import { findLiveVideo, ingestStep } from '../ingest/ingest-step.ts'
import { newFile } from '../scratch/scratch-file.ts'
import { allEnded } from '../upkeep/all-ended.ts'
import { chooseRungs } from './choose-rungs.ts'
import { encodeAudioPieces } from './encode-audio-pieces.ts'
import { encodeAudio } from './encode-audio.ts'
import { openWork, timed, type OpenWork } from './encode-work.ts'
import { withPicture } from './open-picture.ts'
import { publishChunk } from './publish-chunk.ts'
import { createReadChunks } from './read-chunks.ts'
import { storeTiles } from './storyboard-tiles.ts'

/**
 * The activities of the task queues `encode-first` and `encode`. Each goes from the source to recorded segments.
 * Encoding and packaging are one activity because the file between them is not encrypted: it stays on the
 * machine that made it (ADR 0031).
 */
export function createEncodeActivities(deps: ActivityDeps) {
  const reads = createReadChunks()

  async function encodeChunk(input: EncodeChunkInput): Promise<void> {
    for (const rungs of inTurns(input)) await encodeRungs(deps, { ...input, rungs })
  }

  /** Encodes and publishes the chunk of the first rung that a viewer needs next. */
  async function encodeNextChunk({ ticket, ...group }: EncodeNextChunkInput): Promise<void> {
    const index = await claimChunk(deps.db.em.fork(), { ticket, ...group })
    if (index === null) return
    reads.add(group.videoId, chunkOf(group, index))
    await encodeRungs(deps, { ...group, index })
  }

  /** Encodes and publishes a chunk of the other rungs, if possible one that this process has encoded of the first rung (ADR 0076). */
  async function encodeLaterChunk({ ticket, ...group }: EncodeNextChunkInput): Promise<void> {
    const hasRead = (index: number) => reads.has(group.videoId, chunkOf(group, index))
    const index = await claimLaterChunk(deps.db.em.fork(), { ticket, ...group }, hasRead)
    if (index !== null) await encodeRungs(deps, { ...group, index })
  }

  /** The same, and the audio that belongs to the chunk. A name of its own, so that no older worker leaves out the audio. */
  async function encodeNextPart(input: EncodeNextPartInput): Promise<void> {
    for (;;) {
      const index = await claimChunk(deps.db.em.fork(), input, { takesLost: true })
      if (index === null) return
      reads.add(input.videoId, chunkOf(input, index))
      await encodePart(deps, { ...input, index })
      // Another ticket has taken the chunk, which seemed lost: the one that is left is for this one.
      if (await hasClaim(deps.db.em.fork(), input.videoId, input.ticket)) return
    }
  }

  /** Of older workflows: encodes one rung whole. */
  function encodeRung({ rung, facts, ...input }: EncodeRungInput): Promise<void> {
    const plan = wholeVideo(facts.video.frameRate)
    return encodeRungs(deps, { ...input, picture: facts, rungs: [rung], plan, index: 0 })
  }

  return {
    encodeChunk: ingestStep(encodeChunk),
    encodeNextChunk: ingestStep(encodeNextChunk),
    encodeNextPart: ingestStep(encodeNextPart),
    encodeLaterChunk: ingestStep(encodeLaterChunk),
    encodeRung: ingestStep(encodeRung),
    chooseRungs: ingestStep(withDeps(deps, chooseRungs)),
    encodeAudio: ingestStep(withDeps(deps, encodeAudio)),
  }
}

const chunkOf = ({ plan, picture }: RungGroup, index: number): Chunk =>
  planChunk(plan, picture.video.frameRate, index)

const wholeVideo = (frameRate: string): ChunkPlan => ({
  chunkFrames: segmentFrames(frameRate),
  count: 1,
})

/**
 * Returns the rungs that are encoded together, one group after another. A video that is encoded whole has no chunks that outlive a
 * lost worker. After the first loss each of its rungs is recorded before the next one begins: more decoding, but less is lost.
 */
const inTurns = ({ rungs, plan }: EncodeChunkInput): Rung[][] =>
  plan.count === 1 && activityInfo().attempt > 1 ? rungs.map((rung) => [rung]) : [rungs]

/** Encodes and publishes one chunk of rungs from one decode. Skips rungs whose chunk is recorded. */
async function encodeRungs(deps: ActivityDeps, input: EncodeChunkInput): Promise<void> {
  const { videoId, plan, index } = input
  const em = deps.db.em.fork()
  const video = await findLiveVideo(em, videoId)
  const rungs = await withoutRecorded(em, input)
  if (rungs.length === 0) return
  const names = rungs.map(({ name }) => name)
  const opened = await openWork(deps, { videoId, names, part: { index, count: plan.count } })
  await encodeOpened(deps, { ...opened, video }, { ...input, rungs })
}

/** Encodes and publishes a chunk of the first rung, and beside it the audio of the chunk. */
async function encodePart(deps: ActivityDeps, input: EncodePartInput): Promise<void> {
  const { videoId, sound, plan, index } = input
  const em = deps.db.em.fork()
  const video = await findLiveVideo(em, videoId)
  const rungs = await withoutRecorded(em, input)
  const names = [...input.rungs, ...sound.tracks].map(({ name }) => name)
  const opened = await openWork(deps, { videoId, names, part: { index, count: plan.count } })
  const place = { ...opened, video }
  await allEnded([
    ...(rungs.length > 0 ? [encodeOpened(deps, place, { ...input, rungs })] : []),
    encodeAudioPieces(deps, place, input),
  ])
}

async function encodeOpened(
  deps: ActivityDeps,
  { video, folder, work }: OpenWork & { video: Video },
  input: EncodeChunkInput,
): Promise<void> {
  const { videoId, rungs, picture, plan, index, isFirst, audioNames } = input
  const isOnly = plan.count === 1
  const files = await Promise.all(rungs.map(({ name }) => newFile(folder, name)))
  const outputs = rungs.map((rung, index) => ({ rung, outputPath: files[index]?.path ?? '' }))
  try {
    const facts = { ...picture, audio: [] }
    const chunk = planChunk(plan, picture.video.frameRate, index)
    const target = { facts, chunk, isOnly, outputs }
    const { encoded, from } = await withPicture(
      deps,
      folder,
      { videoId, picture, plan },
      work,
      async (opened, reading) => {
        const { path: sourcePath, isCopy } = opened
        const encoding = encodePicture({ ...reading, sourcePath, isCopy, ...target })
        const mediaSecondsOf = ({ frames }: { frames: number }): number =>
          frames / framesPerSecond(picture.video.frameRate)
        return { encoded: await timed(encoding, { kind: 'video', mediaSecondsOf }), from: opened }
      },
    )
    const [first] = outputs
    const made = { videoId, picture, startFrame: chunk.startFrame, frames: encoded.frames, isOnly }
    const tiles =
      isFirst && first
        ? storeTiles(deps, folder, { ...made, encodedPath: first.outputPath }, work)
        : Promise.resolve()
    await allEnded([
      tiles,
      ...outputs.map(({ rung: { name, trackType }, outputPath: encodedPath }) => {
        const track = { kind: 'video', name, trackType, language: null, label: null } as const
        const segments = { segmentSeconds: segmentSeconds(picture.video.frameRate) }
        const { sourceId, sizeBytes: sourceBytes } = from
        const part = { encodedPath, encoded, plan, chunk, sourceId, sourceBytes }
        const damageOf = (chunks: readonly ChunkFacts[]): number =>
          damagedPercent(
            picture,
            chunks.flatMap((one) => one.encoded ?? []),
          )
        const item = { ...track, ...segments, ...part, video, audioNames, damageOf }
        return publishChunk(deps, folder, { ...item, storeAfter: tiles }, work)
      }),
    ])
  } finally {
    for (const file of files) await file.remove()
  }
}

async function withoutRecorded(
  em: EntityManager,
  { videoId, rungs, plan: { count }, index }: EncodeChunkInput,
): Promise<Rung[]> {
  const left: Rung[] = []
  for (const rung of rungs)
    if (!(await isChunkRecorded(em, { videoId, name: rung.name, count, index }))) left.push(rung)
  return left
}
