import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { EntityManager } from '../db/database.ts'
import { isChunkRecorded } from '../db/rendition-chunks.ts'
import {
  AUDIO_SEGMENT_SECONDS,
  WHOLE_FILM,
  chunkOf,
  segmentFrames,
  segmentSeconds,
} from '../domain/chunks.ts'
import type { ChunkPlan } from '../domain/chunks.ts'
import { damagedPercent, soundDamagedPercent } from '../domain/damage.ts'
import type { EncodeAudioInput, EncodeChunkInput, EncodeRungInput } from '../domain/ingest.ts'
import type { ChunkFacts } from '../domain/join-chunks.ts'
import { framesPerSecond } from '../domain/rendition.ts'
import type { Rung } from '../domain/ladder.ts'
import { encodeAudio as encodeTrack } from '../media/encode-audio.ts'
import { encodeChunk as encodePart } from '../media/encode-chunk.ts'
import { encodedSeconds, encoderSeconds } from '../metrics/ingest.ts'
import type { MediaWork } from '../media/run-tool.ts'
import { createChooseRungs } from './choose-rungs.ts'
import type { ActivityDeps } from './deps.ts'
import { findLiveVideo, ingestStep } from './ingest-step.ts'
import { withSource } from './open-source.ts'
import { publishChunk } from './publish-chunk.ts'
import type { RecordedSteps } from './record-progress.ts'
import { reportVideoProgress, reportedWork } from './report-progress.ts'
import { storeTiles } from './storyboard-tiles.ts'
import { openWorkFolder } from './work-folder.ts'
import type { WorkFolder } from './work-folder.ts'

/**
 * The activities of the task queues `encode-first` and `encode`. Each goes from the source to recorded segments.
 * Encoding and packaging are one activity because the file between them is not encrypted: it stays on the
 * machine that made it (ADR 0031).
 */
export function createEncodeActivities(deps: ActivityDeps) {
  const encodeChunk = (input: EncodeChunkInput): Promise<void> => encodeRungs(deps, input)

  /** Of older workflows: encodes one rung whole. */
  function encodeRung({ rung, facts, ...input }: EncodeRungInput): Promise<void> {
    const plan = wholeFilm(facts.video.frameRate)
    return encodeRungs(deps, { ...input, picture: facts, rungs: [rung], plan, index: 0 })
  }

  return {
    encodeChunk: ingestStep(encodeChunk),
    encodeRung: ingestStep(encodeRung),
    chooseRungs: ingestStep(createChooseRungs(deps)),
    encodeAudio: ingestStep((input: EncodeAudioInput) => encodeAudio(deps, input)),
  }
}

const wholeFilm = (frameRate: string): ChunkPlan => ({
  chunkFrames: segmentFrames(frameRate),
  count: 1,
})

/** Encodes and publishes one chunk of rungs from one decode. Skips rungs whose chunk is recorded. */
async function encodeRungs(deps: ActivityDeps, input: EncodeChunkInput): Promise<void> {
  const { videoId, picture, plan, index, isFirst, audioNames } = input
  const em = deps.db.em.fork()
  const video = await findLiveVideo(em, videoId)
  const rungs = await withoutRecorded(em, input)
  if (rungs.length === 0) return
  const names = rungs.map(({ name }) => name)
  const steps = { videoId, names, part: { index, count: plan.count } }
  const { folder, work } = await openWork(deps, steps)
  const isOnly = plan.count === 1
  const outputs = rungs.map((rung) => ({ rung, outputPath: newFile(folder, rung.name) }))
  try {
    const facts = { ...picture, audio: [] }
    const chunk = chunkOf(plan, picture.video.frameRate, index)
    const target = { facts, chunk, isOnly, outputs }
    const { encoded, sourceBytes } = await withSource(
      deps,
      folder,
      videoId,
      work,
      async (from, reading) => ({
        encoded: await timed(encodePart({ ...reading, sourcePath: from.path, ...target }), {
          kind: 'video',
          mediaSecondsOf: ({ frames }) => frames / framesPerSecond(picture.video.frameRate),
        }),
        sourceBytes: from.sizeBytes,
      }),
    )
    const [first] = outputs
    if (isFirst && first) {
      const part = { startFrame: chunk.startFrame, frames: encoded.frames, isOnly }
      const made = { videoId, picture, encodedPath: first.outputPath, ...part }
      await storeTiles(deps, folder, made, work)
    }
    await all(
      outputs.map(({ rung: { name, trackType }, outputPath: encodedPath }) => {
        const track = { kind: 'video', name, trackType, language: null, label: null } as const
        const segments = { segmentSeconds: segmentSeconds(picture.video.frameRate) }
        const part = { encodedPath, encoded, plan, chunk, sourceBytes }
        const damageOf = (chunks: readonly ChunkFacts[]): number =>
          damagedPercent(
            picture,
            chunks.flatMap((one) => one.encoded ?? []),
          )
        const item = { ...track, ...segments, ...part, video, audioNames, damageOf }
        return publishChunk(deps, folder, item, work)
      }),
    )
  } finally {
    for (const { outputPath } of outputs) await rm(outputPath, { force: true })
  }
}

interface Measured<Encoded> {
  kind: 'video' | 'audio'
  mediaSecondsOf: (encoded: Encoded) => number
}

/** Measures an encode that succeeds: how long it took, and how much film it made. */
async function timed<Encoded>(
  encoding: Promise<Encoded>,
  { kind, mediaSecondsOf }: Measured<Encoded>,
): Promise<Encoded> {
  const startedAtMs = performance.now()
  const encoded = await encoding
  encoderSeconds.inc({ kind }, (performance.now() - startedAtMs) / 1000)
  encodedSeconds.inc({ kind }, mediaSecondsOf(encoded))
  return encoded
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

/** Encodes and publishes an audio track, once for all rungs. Does nothing if it is recorded. */
async function encodeAudio(deps: ActivityDeps, input: EncodeAudioInput): Promise<void> {
  const { videoId, track, facts, audioNames } = input
  const source = facts.audio[track.position]
  if (!source) throw new Error('the plan names an audio track that the source does not have')
  const { name } = track
  const em = deps.db.em.fork()
  const video = await findLiveVideo(em, videoId)
  const plan = { count: 1 }
  if (await isChunkRecorded(em, { videoId, name, ...plan, index: WHOLE_FILM.index })) return
  const { folder, work } = await openWork(deps, { videoId, names: [name] })
  const encodedPath = newFile(folder, name)
  try {
    const { normalizesLoudness } = track
    const target = { facts, track: source, outputPath: encodedPath, normalizesLoudness }
    const { encoded, sourceBytes } = await withSource(
      deps,
      folder,
      videoId,
      work,
      async (from, reading) => ({
        encoded: await timed(encodeTrack({ ...reading, sourcePath: from.path, ...target }), {
          kind: 'audio',
          mediaSecondsOf: () => (facts.durationMs ?? 0) / 1000,
        }),
        sourceBytes: from.sizeBytes,
      }),
    )
    const { loudness, sound } = encoded
    const damageOf = (): number => soundDamagedPercent(facts.durationMs, sound)
    const { language, title: label } = source
    const rendition = { kind: 'audio', name, trackType: 'AUDIO', language, label } as const
    const segments = { segmentSeconds: AUDIO_SEGMENT_SECONDS }
    const whole = { encodedPath, encoded: null, plan, chunk: WHOLE_FILM, sourceBytes, loudness }
    const item = { ...rendition, ...segments, ...whole, video, audioNames, damageOf }
    await publishChunk(deps, folder, item, work)
  } finally {
    await rm(encodedPath, { force: true })
  }
}

/** Begins the heartbeats, and opens the work folder. */
async function openWork(
  deps: ActivityDeps,
  steps: RecordedSteps,
): Promise<{ folder: WorkFolder; work: MediaWork }> {
  const first = { renditions: steps.names, fraction: 0 }
  const work = reportedWork(deps, reportVideoProgress(deps, steps, first))
  const folder = await openWorkFolder(deps, steps.videoId)
  return { folder, work }
}

const newFile = (folder: WorkFolder, name: string): string =>
  join(folder.path, `${name}.${randomUUID()}.mp4`)

/** Waits for all works, so that none of them uses a file that is removed, and throws the first error. */
async function all(works: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works))
    if (result.status === 'rejected') throw result.reason
}
