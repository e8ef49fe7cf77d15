import { createWriteStream } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { SOURCE_MAX_BYTES } from '../domain/limits.ts'
import type { Egress } from '../egress/egress.ts'
import { inspectVideoSource } from '../egress/inspect-video-source.ts'
import { openVideoSource } from '../egress/open-video-source.ts'
import type { OpenedSource } from '../egress/open-video-source.ts'
import { SourceError, toSourceError } from '../egress/source-error.ts'
import type { DownloadReservation } from './storage-reservation.ts'
import type { WorkFolder } from './work-folder.ts'

/** The attempt fails if the source sends nothing for this long. */
const STALL_MS = 60_000
/** Enough for 20 GiB at half a megabyte per second. */
const DEADLINE_MS = 12 * 3_600_000
const REPORT_EVERY_MS = 1_000

export interface FetchOptions {
  url: string
  folder: WorkFolder
  /** Free storage of the plan for this source, when the attempt begins. */
  availableBytes: number
  /** Checks the plan again while bytes arrive, because other downloads use it too. */
  reservation: DownloadReservation
  signal: AbortSignal
  report: (bytes: number, total: number | null) => void
  /** How long the source may send nothing: a minute by default, shorter in tests. */
  stallMs?: number | undefined
}

/**
 * Checks the link by a HEAD request as POST /v1/videos does (contract, "Videos": "again before
 * download"), then downloads into `folder.partialPath`. Resumes an earlier attempt if the server still
 * has the same file. Counts the received bytes regardless of Content-Length.
 * Throws a SourceError for every failure of the source.
 */
export async function fetchSource(egress: Egress, options: FetchOptions): Promise<void> {
  const watch = watchForStall(options.stallMs ?? STALL_MS)
  try {
    const source = await openSource(egress, options, watch.signal)
    await receive(source, options, watch)
    await complete(options.folder, source.totalBytes)
  } catch (error) {
    if (options.signal.aborted) throw error
    if (watch.signal.aborted)
      throw new SourceError('source_unreachable', 'The source stopped sending.')
    throw downloadErrorOf(error)
  } finally {
    watch.end()
  }
}

/** Aborts its signal after `stallMs` without a call of `heard`, not counting the time of `pauseFor`. */
function watchForStall(stallMs: number) {
  const controller = new AbortController()
  let isPaused = false
  const timer = setTimeout(() => {
    if (isPaused) timer.refresh()
    else controller.abort()
  }, stallMs)
  return {
    signal: controller.signal,
    heard: () => void timer.refresh(),
    end: () => clearTimeout(timer),
    /** Stops the clock during internal work, because the source cannot send meanwhile. */
    async pauseFor(work: Promise<void>): Promise<void> {
      isPaused = true
      await work
      isPaused = false
      timer.refresh()
    },
  }
}

async function openSource(
  egress: Egress,
  { folder, url, availableBytes, signal }: FetchOptions,
  stalled: AbortSignal,
): Promise<OpenedSource> {
  const ended = AbortSignal.any([signal, stalled])
  await inspectVideoSource(egress, url, { availableBytes, signal: ended })
  const source = await openVideoSource(egress, url, {
    deadlineMs: DEADLINE_MS,
    signal: ended,
    ...(await resumePoint(folder)),
  })
  // The partial file belongs to another version of the source.
  if (source.startByte === 0) await rm(folder.partialPath, { force: true })
  const facts = JSON.stringify({ validator: source.validator })
  await writeFile(folder.partialFactsPath, facts, { mode: 0o600 })
  return source
}

async function receive(
  source: OpenedSource,
  options: FetchOptions,
  watch: ReturnType<typeof watchForStall>,
): Promise<void> {
  const { startByte } = source
  const file = createWriteStream(options.folder.partialPath, {
    flags: startByte > 0 ? 'r+' : 'w',
    start: startByte,
    mode: 0o600,
    highWaterMark: 1 << 20,
  })
  const counted = (chunks: AsyncIterable<Buffer>) => countBytes(chunks, source, options, watch)
  await pipeline(source.body, counted, file, { signal: watch.signal })
}

/** Passes the body on up to the limits: 20 GiB, and the free storage of the plan. */
async function* countBytes(
  chunks: AsyncIterable<Buffer>,
  { startByte, totalBytes }: OpenedSource,
  { reservation, report }: FetchOptions,
  watch: ReturnType<typeof watchForStall>,
): AsyncGenerator<Buffer> {
  let bytes = startByte
  let reportedAt = 0
  await watch.pauseFor(internally(reservation.cover(totalBytes ?? startByte, totalBytes !== null)))
  for await (const chunk of chunks) {
    bytes += chunk.length
    watch.heard()
    if (bytes > SOURCE_MAX_BYTES) throw tooLarge()
    if (Date.now() - reportedAt > REPORT_EVERY_MS) {
      reportedAt = Date.now()
      report(bytes, totalBytes)
    }
    if (!reservation.covers(bytes))
      await watch.pauseFor(internally(reservation.cover(bytes, false)))
    yield chunk
  }
}

/** An internal error in the middle of a download; `fetchSource` throws its `cause`. */
class InternalError extends Error {
  constructor(cause: unknown) {
    super('the download was interrupted by an internal error', { cause })
  }
}

/** Marks errors of `work` as internal, so that they are not attributed to the source. */
async function internally(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    throw error instanceof SourceError ? error : new InternalError(error)
  }
}

/** Translates an error to the contract's codes, except internal ones. */
function downloadErrorOf(error: unknown): unknown {
  if (error instanceof InternalError) return error.cause
  const translated = toSourceError(error)
  if (translated instanceof SourceError || isLocal(translated)) return translated
  return new SourceError('source_unreachable', 'The connection to the source broke off.')
}

const tooLarge = (): SourceError =>
  new SourceError('source_too_large', 'The source is larger than 20 GiB.')

/** Throws if the body is incomplete. The next attempt resumes a body that is too short. */
async function complete(folder: WorkFolder, totalBytes: number | null): Promise<void> {
  const { size } = await stat(folder.partialPath)
  if (size === 0) throw new SourceError('source_unreachable', 'The source is empty.')
  if (totalBytes !== null && size !== totalBytes) {
    if (size > totalBytes) await rm(folder.partialPath, { force: true })
    throw new SourceError('source_unreachable', 'The source ended before all of it was sent.')
  }
}

/** Without a validator, the link may return another file by now. */
const partialFactsSchema = z.object({ validator: z.string() })

/** Where to resume: the start of the file unless an earlier attempt left a part and its validator. */
async function resumePoint(folder: WorkFolder): Promise<{ startByte: number; ifRange?: string }> {
  try {
    const { size } = await stat(folder.partialPath)
    const facts = partialFactsSchema.parse(
      JSON.parse(await readFile(folder.partialFactsPath, 'utf8')),
    )
    return size > 0 ? { startByte: size, ifRange: facts.validator } : { startByte: 0 }
  } catch {
    return { startByte: 0 }
  }
}

/** Returns whether this machine caused the error, such as a full disk or a missing folder. */
const isLocal = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && LOCAL_CODES.has(error.code)

const LOCAL_CODES = new Set<unknown>([
  'EACCES',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOENT',
  'ENOMEM',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
  'ESTALE',
])
