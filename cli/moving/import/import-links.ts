import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { IMPORT_AT_ONCE_MAX } from '../../../domain/limits.ts'
import { idOfLink, metadataOf, type ManifestLine } from '../../../domain/moving/manifest.ts'
import { ReelgateError, type ImportLine } from '../../../sdk/src/index.ts'
import { fillVideo, settleVideo } from './fill-video.ts'
import type { NamedLine } from './hold-video.ts'
import { claim, reasonOf } from './import-line.ts'
import { LineFailure, type ImportRun, type Outcome } from './run.ts'

export interface NumberedLine {
  number: number
  line: ManifestLine
}

export interface LinkOptions {
  /** How many of the videos the service makes at the same time. */
  atOnce: number
  /** Whether to wait until each video is ready. */
  wait: boolean
  onOutcome: (number: number, line: ManifestLine, outcome: Outcome) => void
}

type LinkLine = NumberedLine & NamedLine

/** Lines of one import of the service. A body has at most 10 MB. */
const BATCH_LINES = 500
/** Nothing has changed: the wait grows from the first to the longest. */
const FIRST_POLL_MS = 2_000
const LONGEST_POLL_MS = 15_000

/**
 * Imports the lines whose sources are links: the service makes their videos, some at a time, and goes on when this process has ended. Its imports are in
 * the journal, so that the next run follows them instead of beginning others.
 */
export async function importLinks(
  run: ImportRun,
  lines: AsyncIterable<NumberedLine>,
  options: LinkOptions,
): Promise<void> {
  let batch: LinkLine[] = []
  for await (const { number, line } of lines) {
    const url = line.source.kind === 'link' ? line.source.url : ''
    const externalId = line.externalId ?? idOfLink(url, sumOf)
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

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

async function importBatch(
  run: ImportRun,
  batch: readonly LinkLine[],
  options: LinkOptions,
): Promise<void> {
  const left = new Set(batch)
  const end = (one: LinkLine, outcome: Outcome): void => {
    left.delete(one)
    options.onOutcome(one.number, one.line, outcome)
  }
  try {
    const fresh = await linesToBegin(run, batch)
    if (fresh.length > 0) await beginImport(run, fresh, options)
    const followed = Map.groupBy(batch, ({ externalId }) => run.journal.entry(externalId)?.importId)
    for (const [importId, lines] of followed)
      if (importId !== undefined) await follow(run, importId, lines, { ...options, end })
  } catch (error) {
    for (const one of left) end(one, outcomeOf(one.externalId, { error, run }))
  }
}

/**
 * The lines that no earlier import has, or whose videos it has not made and will not make. A run that was killed may have noted its import for some of the
 * lines only; the others are noted now.
 */
async function linesToBegin(run: ImportRun, batch: readonly LinkLine[]): Promise<LinkLine[]> {
  const { journal } = run
  const importIdOf = ({ externalId }: LinkLine) => journal.entry(externalId)?.importId
  const earlier = new Map<string, { importId: number; state: ImportLine['state'] }>()
  for (const importId of new Set(batch.map(importIdOf)))
    if (importId !== undefined)
      for (const [externalId, { state }] of await readEarlier(run, importId))
        earlier.set(externalId, { importId, state })
  const fresh: LinkLine[] = []
  for (const one of batch) {
    const made = earlier.get(one.externalId)
    if (made === undefined || made.state === 'failed' || made.state === 'cancelled') fresh.push(one)
    else if (importIdOf(one) === undefined) await noteImport(run, one, made.importId)
  }
  return fresh
}

/** The lines of an import; none if the service has no such import any more. */
async function readEarlier(run: ImportRun, importId: number): Promise<Map<string, ImportLine>> {
  try {
    return await readLines(run, importId)
  } catch (error) {
    if (error instanceof ReelgateError && error.code === 'import_not_found') return new Map()
    throw error
  }
}

const noteImport = ({ journal }: ImportRun, { externalId }: NamedLine, importId: number) =>
  journal.noteEntry(externalId, {
    sha256: '',
    uploadId: null,
    videoId: null,
    importId,
    done: new Set(),
  })

/** The lines of an import by external id. */
async function readLines(
  { reelgate, patiently, signal }: ImportRun,
  importId: number,
): Promise<Map<string, ImportLine>> {
  const read = async () => {
    const lines = new Map<string, ImportLine>()
    for await (const line of reelgate.imports.listAllLines(importId, {}, { signal }))
      lines.set(line.external_id ?? '', line)
    return lines
  }
  return patiently(read)
}

async function beginImport(
  run: ImportRun,
  lines: readonly LinkLine[],
  { atOnce }: LinkOptions,
): Promise<void> {
  const { reelgate, patiently, journal, signal } = run
  const bodies = []
  for (const one of lines) bodies.push(await bodyOf(run, one))
  const body = { lines: bodies, at_once: Math.min(atOnce, IMPORT_AT_ONCE_MAX) }
  // A lost response makes no second import; lines of an import that has ended do.
  const before = lines.map(({ externalId }) => journal.entry(externalId)?.importId ?? 0)
  const idempotencyKey = sumOf(JSON.stringify([body, before]))
  const { id: importId } = await patiently(() =>
    reelgate.imports.create(body, { signal, idempotencyKey }),
  )
  for (const one of lines) await noteImport(run, one, importId)
}

async function bodyOf({ folders, keepOriginal }: ImportRun, { line, externalId }: LinkLine) {
  const { source, title, description, folder, tags, sha256 } = line
  return {
    source_url: source.kind === 'link' ? source.url : '',
    external_id: externalId,
    ...(title !== null && { title }),
    description: description ?? '',
    folder_id: folder === null ? null : await folders.idOf(folder),
    tags,
    metadata: metadataOf(line),
    ...(sha256 !== null && { sha256 }),
    ...(keepOriginal !== undefined && { keep_original: keepOriginal }),
  }
}

/**
 * Follows an import until each of these lines is settled, and gives each video what its line has beside the link. Reads the lines when their counts have
 * changed: a line never goes back to an earlier state.
 */
async function follow(
  run: ImportRun,
  importId: number,
  lines: readonly LinkLine[],
  { wait, end }: { wait: boolean; end: (one: LinkLine, outcome: Outcome) => void },
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
  pending: Map<string, LinkLine>,
  { wait, end }: { wait: boolean; end: (one: LinkLine, outcome: Outcome) => void },
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
  one: LinkLine,
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
