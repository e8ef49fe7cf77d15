import { setTimeout as sleep } from 'node:timers/promises'
import type { ManifestLine } from '../../../domain/moving/manifest.ts'
import { isFaulty } from '../../../domain/moving/parse-line.ts'
import { CliError } from '../../errors.ts'
import { findInside } from '../inside-folder.ts'
import type { NumberedLine } from './begin-import.ts'
import { settleVideo } from './fill-video.ts'
import { importLine, reasonOf } from './import-line.ts'
import { importLinks } from './import-links.ts'
import type { Library } from './read-lines.ts'
import { LineFailure, type ImportRun, type Outcome } from './run.ts'
import { isFetched } from './source-kinds.ts'

export interface ImportOptions {
  run: ImportRun
  library: Library
  /** How many lines at a time. */
  atOnce: number
  /** Whether to wait until each video is ready. */
  wait: boolean
  /** Called with each line once nothing more is done with it, in any order. */
  onOutcome: (number: number, line: ManifestLine, outcome: Outcome) => void
}

/** Imports every line, some at a time, and waits for the videos if that is wanted. Lines that fail do not end it. */
export async function importLibrary(options: ImportOptions): Promise<void> {
  const { run, library, atOnce, wait, onOutcome } = options
  const begun = new Map<number, Outcome>()
  await eachAtOnce(
    linesOf(library, (line) => !isFetched(line)),
    atOnce,
    async ({ number, line }) => {
      const outcome = await importLine(run, number, line)
      const isWaitedFor = wait && outcome.videoId !== null && !isOver(outcome)
      if (isWaitedFor) begun.set(number, outcome)
      else onOutcome(number, line, outcome)
    },
  )
  if (begun.size > 0) await awaitVideos(options, begun)
  await importLinks(run, linesOf(library, isFetched), { atOnce, wait, onOutcome })
}

/** Waits until the videos that were begun are ready. */
async function awaitVideos(
  { run, library, onOutcome }: ImportOptions,
  begun: ReadonlyMap<number, Outcome>,
): Promise<void> {
  // Those that were begun first are ready first, so few requests are made for others.
  for await (const { number, line } of checkedLines(library)) {
    const outcome = begun.get(number)
    if (outcome) onOutcome(number, line, await awaitVideo(run, number, line, outcome))
  }
}

const isOver = ({ state }: Outcome): boolean => state === 'failed' || state === 'interrupted'

/** The lines that are wanted. */
async function* linesOf(
  library: Library,
  isWanted: (line: ManifestLine) => boolean,
): AsyncGenerator<NumberedLine> {
  for await (const one of checkedLines(library)) if (isWanted(one.line)) yield one
}

/** The lines again. Throws a CliError if the manifest is no longer the one that was checked. */
async function* checkedLines(library: Library): AsyncGenerator<NumberedLine> {
  for await (const { number, parsed } of library.lines()) {
    if (isFaulty(parsed))
      throw new CliError(`Line ${number} has changed since it was checked.`, {
        code: 'manifest_invalid',
      })
    yield { number, line: parsed }
  }
}

/** Runs `work` for each item, so many at a time. Throws what the items or `work` throw. */
async function eachAtOnce<T>(
  items: AsyncGenerator<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // Without `return`: a worker that ends must not end the items of the others.
  const shared = { [Symbol.asyncIterator]: () => ({ next: () => items.next() }) }
  const worker = async (): Promise<void> => {
    for await (const item of shared) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const FIRST_POLL_MS = 500
const LONGEST_POLL_MS = 10_000

async function awaitVideo(
  run: ImportRun,
  number: number,
  line: ManifestLine,
  outcome: Outcome,
): Promise<Outcome> {
  const { videoId, externalId, sha256 } = outcome
  try {
    if (line.source.kind !== 'path' || videoId === null || externalId === null || sha256 === null)
      throw new TypeError('the line has no video')
    await untilReady(run, videoId)
    const file = await findInside(run.base, line.source.path)
    if (typeof file === 'string') throw new LineFailure('file_unreadable', file)
    const one = { number, line, file, sha256, externalId }
    await settleVideo(run, one, { videoId, isOurs: outcome.state === 'imported' })
    return outcome
  } catch (error) {
    const state = run.signal.aborted ? 'interrupted' : 'failed'
    return { ...outcome, state, reason: reasonOf(error, run.signal) }
  }
}

async function untilReady(
  { reelgate, patiently, signal }: ImportRun,
  videoId: string,
): Promise<void> {
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(LONGEST_POLL_MS, waitMs * 1.5)) {
    const { status } = await patiently(() => reelgate.videos.getStatus(videoId, { signal }))
    if (status === 'ready') return
    if (status === 'failed') {
      const { error } = await patiently(() => reelgate.videos.get(videoId, { signal }))
      throw new LineFailure(error?.code ?? 'video_failed', error?.message ?? 'The video failed.')
    }
    await sleep(waitMs, undefined, { signal })
  }
}
