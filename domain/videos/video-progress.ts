import { firstRung } from '../encoding/ladder.ts'
import type { RecordedChunks } from './chunk-runs.ts'
import { isFinal, isPlayable, type VideoStatus } from './video-state.ts'

/** What a step of an ingest records: it waits for its turn, or it runs. */
export type RecordedStage = 'waiting' | 'running'

/** How far a step is. */
export const PROGRESS_STAGES = ['waiting', 'running', 'done'] as const

type ProgressStage = (typeof PROGRESS_STAGES)[number]

/** What a step of a running ingest has recorded; the parts of a rendition count together. */
export interface ProgressRow {
  /** `download`, `prepare`, `keys`, `finish`, or a rendition such as `720p` or `audio-0`. */
  name: string
  stage: RecordedStage
  /** From 0 to 1; null if the total is not known. */
  fraction: number | null
  /** Absent for a step that is done as a whole. */
  chunks?: RecordedChunks | null
  startedAt: Date
  updatedAt: Date
}

/** One step of an ingest, as the dashboard shows it. */
export interface VideoStep {
  name: string
  stage: ProgressStage
  fraction: number | null
}

/** The progress of one video, as its steps have recorded it. */
export interface RecordedProgress {
  id: string
  status: VideoStatus
  rows: ProgressRow[]
  /** The names of the renditions that are published. */
  published: string[]
  /** How much of the beginning plays while the video is not playable yet. */
  watchableMs: number
  /** The time of the reading, by the same clock as the times of the rows. */
  readAt: Date
}

/** How far a whole ingest is. */
export interface VideoProgress {
  /** From 0 to 1; 1 only for a video that is ready. */
  fraction: number
  /** Until the video is ready; null without a basis for an estimate, and for one that is ready. */
  secondsLeft: number | null
  /** How much of the beginning plays, in whole seconds; null once all of it does. */
  watchableSeconds: number | null
  /** From small to large; 1 only for those that are published. */
  renditions: { name: string; fraction: number }[]
}

/**
 * Returns the steps in their order: download, prepare, keys, the renditions from small to large, finish. A published
 * rendition is done, and so is a step once a later one is recorded.
 */
export function stepsOf(rows: readonly ProgressRow[], published: readonly string[]): VideoStep[] {
  const recorded = new Map(rows.map((row) => [row.name, row]))
  const names = [...new Set([...recorded.keys(), ...published])].toSorted(
    (a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b, 'en', { numeric: true }),
  )
  return names.map((name) => {
    const place = placeOf(name)
    const isPassed = place < RENDITION && names.some((other) => placeOf(other) > place)
    if (isPassed || published.includes(name)) return { name, stage: 'done', fraction: 1 }
    const { stage = 'running', fraction = null } = recorded.get(name) ?? {}
    return { name, stage, fraction }
  })
}

/** Returns how far the ingest of a video is as a whole; null if it has failed. */
export function progressOf(recorded: RecordedProgress): VideoProgress | null {
  const { status, rows, published } = recorded
  if (status === 'failed') return null
  const steps = stepsOf(rows, published)
  const renditions = steps
    .filter(({ name }) => isRendition(name))
    .map(({ name, stage, fraction }) => ({
      name,
      fraction: status === 'ready' || stage === 'done' ? 1 : unfinished(fraction ?? 0),
    }))
  const watchableSeconds = isPlayable(status) ? null : Math.floor(recorded.watchableMs / 1000)
  if (isFinal(status)) return { fraction: 1, secondsLeft: null, watchableSeconds, renditions }
  const fraction = unfinished(wholeOf(steps))
  return { fraction, secondsLeft: secondsLeft(fraction, recorded), watchableSeconds, renditions }
}

const PLACES: Record<string, number> = { download: 0, prepare: 1, keys: 2, finish: 5 }
const RENDITION = 3
const FINISH = 5

const placeOf = (name: string): number =>
  PLACES[name] ?? (name.startsWith('audio-') ? RENDITION + 1 : RENDITION)

const isRendition = (name: string): boolean => PLACES[name] === undefined

/** The last percent is for what follows the encoder. */
const unfinished = (fraction: number): number => Math.min(fraction, 0.99)

/** Shares of the whole, so that its percent moves in every stage. The download of a small video on a slow line takes more. */
const SHARES = { download: 0.05, prepare: 0.01, encode: 0.9, finish: 0.04 }
const BEFORE_ENCODE = SHARES.download + SHARES.prepare

function wholeOf(steps: readonly VideoStep[]): number {
  const reached = Math.max(...steps.map(({ name }) => placeOf(name)))
  const fractionOf = (name: string): number =>
    steps.find((step) => step.name === name)?.fraction ?? 0
  if (reached === FINISH)
    return BEFORE_ENCODE + SHARES.encode + SHARES.finish * fractionOf('finish')
  if (reached >= RENDITION)
    return (
      BEFORE_ENCODE + SHARES.encode * encodedFraction(steps.filter(({ name }) => isRendition(name)))
    )
  return reached > 0 ? SHARES.download : SHARES.download * fractionOf('download')
}

/** Returns the share of the encoding that is done, from 0 to 1; each rendition counts by the work that it takes. */
export function encodedFraction(
  renditions: readonly { name: string; fraction: number | null }[],
): number {
  const works = worksOf(renditions.map(({ name }) => name))
  const total = works.reduce((sum, work) => sum + work, 0)
  const done = renditions.reduce(
    (sum, { fraction }, index) => sum + (works[index] ?? 0) * (fraction ?? 0),
    0,
  )
  return total === 0 ? 0 : done / total
}

/** An audio track takes about a quarter of 240p. */
const AUDIO_WORK = 240 ** 1.5 / 4
/** Decoding the source, as a share of encoding the largest rung. */
const DECODE_SHARE = 0.28

/**
 * Rungs have the same frames and the same shape. Measured with `ENCODE_MODE=speed`, from 240p to 1080p: the processor
 * time of a rung grows with the short side to the power of 1.5. The first rung has a decode of the source for itself.
 */
function worksOf(names: readonly string[]): number[] {
  const sides = names.map((name) => Number(/^(\d+)p$/.exec(name)?.[1] ?? 0))
  const rungs = sides.filter((side) => side > 0).toSorted((a, b) => a - b)
  const first = rungs[firstRung(rungs)]
  const decode = DECODE_SHARE * (rungs.at(-1) ?? 0) ** 1.5
  return sides.map((side) => (side > 0 ? side ** 1.5 + (side === first ? decode : 0) : AUDIO_WORK))
}

/** Encoders need a moment until their speed says something. */
const BASIS_MS = 5_000
const BASIS_FRACTION = 0.01

/** Estimates from the speed since the first rendition began: what comes before depends on the line, not on the machines. */
function secondsLeft(fraction: number, { rows, readAt }: RecordedProgress): number | null {
  const begun = rows.filter(({ name, stage }) => isRendition(name) && stage === 'running')
  const startedMs = Math.min(...begun.map(({ startedAt }) => startedAt.getTime()))
  const elapsedMs = readAt.getTime() - startedMs
  const done = fraction - BEFORE_ENCODE
  if (begun.length === 0 || elapsedMs < BASIS_MS || done < BASIS_FRACTION) return null
  return Math.ceil((elapsedMs * (1 - fraction)) / done / 1000)
}
