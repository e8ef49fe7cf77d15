import { setTimeout as sleep } from 'node:timers/promises'
import type { ManifestLine } from '../../../domain/moving/manifest.ts'
import type { ImportLine } from '../../../sdk/src/index.ts'
import {
  beginImport,
  linesToBegin,
  readLines,
  type FetchedLine,
  type NumberedLine,
} from './begin-import.ts'
import { fillVideo, settleVideo } from './fill-video.ts'
import { claim, reasonOf } from './import-line.ts'
import { LineFailure, type ImportRun, type Outcome } from './run.ts'
import { externalIdOf } from './source-kinds.ts'

export interface LinkOptions {
  /** How many of the videos the service makes at the same time. */
  atOnce: number
  /** Whether to wait until each video is ready. */
  wait: boolean
  onOutcome: (number: number, line: ManifestLine, outcome: Outcome) => void
}

/** Lines of one import of the service. A body has at most 10 MB. */
const BATCH_LINES = 500
/** Nothing has changed: the wait grows from the first to the longest. */
const FIRST_POLL_MS = 2_000
const LONGEST_POLL_MS = 15_000

/**
 * Imports the lines whose sources are links or objects of a bucket: the service makes their videos, some at a time, and goes on when this process has ended. Its
 * imports are in the journal, so that the next run follows them instead of beginning others.
 */
export async function importLinks(
  run: ImportRun,
  lines: AsyncIterable<NumberedLine>,
  options: LinkOptions,
): Promise<void> {
  let batch: FetchedLine[] = []
  for await (const { number, line } of lines) {
    const externalId = externalIdOf(line, run.bucket?.place ?? null) ?? ''
    try {
      claim(run, externalId, number)
      batch.push({ number, line, externalId })
    } catch (error) {
      options.onOutcome(number, line, outcomeOf(externalId, { error, run }))
    }
    if (batch.length === BATCH_LINES) {
      await importBatch(run, batch, options)
      batch = []
    }
  }
  if (batch.length > 0) await importBatch(run, batch, options)
}

async function importBatch(
  run: ImportRun,
  batch: readonly FetchedLine[],
  options: LinkOptions,
): Promise<void> {
  const left = new Set(batch)
  const end = (one: FetchedLine, outcome: Outcome): void => {
    left.delete(one)
    options.onOutcome(one.number, one.line, outcome)
  }
  try {
    const fresh = await linesToBegin(run, batch)
    if (fresh.length > 0) await beginImport(run, fresh, options.atOnce)
    const followed = Map.groupBy(batch, ({ externalId }) => run.journal.entry(externalId)?.importId)
    for (const [importId, lines] of followed)
      if (importId !== undefined) await follow(run, importId, lines, { ...options, end })
  } catch (error) {
    for (const one of left) end(one, outcomeOf(one.externalId, { error, run }))
  }
}

/**
 * Follows an import until each of these lines is settled, and gives each video what its line has beside the link. Reads the lines when their counts have
 * changed: a line never goes back to an earlier state.
 */
async function follow(
  run: ImportRun,
  importId: number,
  lines: readonly FetchedLine[],
  { wait, end }: { wait: boolean; end: (one: FetchedLine, outcome: Outcome) => void },
): Promise<void> {
  const { reelgate, patiently, signal } = run
  const pending = new Map(lines.map((one) => [one.externalId, one]))
  let counts = ''
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(LONGEST_POLL_MS, waitMs * 1.5)) {
    const now = await patiently(() => reelgate.imports.get(importId, { signal }))
    if (JSON.stringify(now.lines) !== counts) {
      counts = JSON.stringify(now.lines)
      waitMs = FIRST_POLL_MS
      await settleLines(run, importId, pending, { wait, end })
    }
    if (pending.size === 0) return
    await sleep(waitMs, undefined, { signal })
  }
}

/** Settles those of the pending lines that can be, and takes them out. */
async function settleLines(
  run: ImportRun,
  importId: number,
  pending: Map<string, FetchedLine>,
  { wait, end }: { wait: boolean; end: (one: FetchedLine, outcome: Outcome) => void },
): Promise<void> {
  for (const [externalId, made] of await readLines(run, importId)) {
    const one = pending.get(externalId)
    if (!one) continue
    const outcome = await settle(run, one, made, wait)
    if (!outcome) continue
    pending.delete(externalId)
    end(one, outcome)
  }
}

/** Fills the video of a line, if there is one. Returns what became of the line; null if it is to be waited for. */
async function settle(
  run: ImportRun,
  one: FetchedLine,
  made: ImportLine,
  wait: boolean,
): Promise<Outcome | null> {
  const { externalId } = one
  const { state, video_id: videoId, sha256, error } = made
  try {
    if (state === 'waiting') return null
    if (videoId === null || state === 'failed')
      throw new LineFailure(error?.code ?? state, error?.message ?? `The line was ${state}.`)
    await noteVideo(run, externalId, videoId)
    const held = { videoId, isOurs: state !== 'exists' }
    await fillVideo(run, one, held)
    if (state === 'started' && wait) return null
    if (state === 'ready') await settleVideo(run, one, held)
    const ended = state === 'exists' ? ('present' as const) : ('imported' as const)
    return { state: ended, externalId, videoId, sha256, reason: null }
  } catch (failure) {
    return { ...outcomeOf(externalId, { error: failure, run }), videoId, sha256 }
  }
}

async function noteVideo(
  { journal }: ImportRun,
  externalId: string,
  videoId: string,
): Promise<void> {
  const entry = journal.entry(externalId)
  if (entry && entry.videoId !== videoId) await journal.noteEntry(externalId, { ...entry, videoId })
}

function outcomeOf(
  externalId: string,
  { error, run }: { error: unknown; run: ImportRun },
): Outcome {
  const state = run.signal.aborted ? 'interrupted' : 'failed'
  return { state, externalId, videoId: null, sha256: null, reason: reasonOf(error, run.signal) }
}
