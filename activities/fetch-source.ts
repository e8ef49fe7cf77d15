import { createWriteStream } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Egress } from '../egress/egress.ts'
import { inspectVideoSource } from '../egress/inspect-video-source.ts'
import { openVideoSource } from '../egress/open-video-source.ts'
import type { OpenedSource } from '../egress/open-video-source.ts'
import { SourceError, toSourceError } from '../egress/source-error.ts'
import { SOURCE_MAX_BYTES } from '../domain/limits.ts'
import type { DownloadReservation } from './storage-reservation.ts'
import type { WorkFolder } from './work-folder.ts'

/** A source that sends nothing for this long has failed its attempt. */
const STALL_MS = 60_000
/** 20 GiB at half a megabyte a second. */
const DEADLINE_MS = 12 * 3_600_000
const REPORT_EVERY_MS = 1_000

export interface FetchOptions {
  url: string
  folder: WorkFolder
  /** What the plan has left for this source, when the attempt begins. */
  availableBytes: number
  /** Decides while bytes arrive: other downloads take from the same plan. */
  reservation: DownloadReservation
  signal: AbortSignal
  report: (bytes: number, total: number | null) => void
  /** How long the source may send nothing: a minute, unless a test cannot wait for it. */
  stallMs?: number | undefined
}

/**
 * Checks the link by a HEAD request as POST /v1/videos does (spec, "Videos": "again before
 * download"), then downloads into `folder.partialPath`, going on where an earlier attempt stopped if
 * the server still has the same file. Bytes are counted whatever Content-Length said.
 * Throws a SourceError for everything that lies with the source.
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
    throw brokenOff(error)
  } finally {
    watch.end()
  }
}

/** Aborts its signal once nothing was heard for `stallMs`, the time of `pauseFor` not counted. */
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
    /** While we do work of our own the source cannot send. */
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
  // What is left of another file must not be taken for a part of the one that is named now.
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

/** Passes the body on as far as it may go: 20 GiB, and what the plan has for it. */
async function* countBytes(
  chunks: AsyncIterable<Buffer>,
  { startByte, totalBytes }: OpenedSource,
  { reservation, report }: FetchOptions,
  watch: ReturnType<typeof watchForStall>,
): AsyncGenerator<Buffer> {
  let bytes = startByte
  let reportedAt = 0
  await watch.pauseFor(ours(reservation.cover(totalBytes ?? startByte, totalBytes !== null)))
  for await (const chunk of chunks) {
    bytes += chunk.length
    watch.heard()
    if (bytes > SOURCE_MAX_BYTES) throw tooLarge()
    if (Date.now() - reportedAt > REPORT_EVERY_MS) {
      reportedAt = Date.now()
      report(bytes, totalBytes)
    }
    if (!reservation.covers(bytes)) await watch.pauseFor(ours(reservation.cover(bytes, false)))
    yield chunk
  }
}

/** Something of ours failed in the middle of a download; `cause` is what is thrown on. */
class OwnFault extends Error {
  constructor(cause: unknown) {
    super('the download was interrupted by a fault of our own', { cause })
  }
}

/** Keeps what fails of our own apart from what the source does. */
async function ours(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    throw error instanceof SourceError ? error : new OwnFault(error)
  }
}

/** In the contract's words, unless we are at fault. */
function brokenOff(error: unknown): unknown {
  if (error instanceof OwnFault) return error.cause
  const told = toSourceError(error)
  if (told instanceof SourceError || isLocal(told)) return told
  return new SourceError('source_unreachable', 'The connection to the source broke off.')
}

const tooLarge = (): SourceError =>
  new SourceError('source_too_large', 'The source is larger than 20 GiB.')

/** A body that ends before its Content-Length is kept, and resumed by the next attempt. */
async function complete(folder: WorkFolder, totalBytes: number | null): Promise<void> {
  const { size } = await stat(folder.partialPath)
  if (size === 0) throw new SourceError('source_unreachable', 'The source is empty.')
  if (totalBytes !== null && size !== totalBytes) {
    if (size > totalBytes) await rm(folder.partialPath, { force: true })
    throw new SourceError('source_unreachable', 'The source ended before all of it was sent.')
  }
}

async function resumePoint(folder: WorkFolder): Promise<{ startByte: number; ifRange?: string }> {
  try {
    const { size } = await stat(folder.partialPath)
    const facts: unknown = JSON.parse(await readFile(folder.partialFactsPath, 'utf8'))
    const { validator } = facts as { validator?: unknown }
    // Without a validator the file behind the link may be another one by now.
    return typeof validator === 'string' && size > 0
      ? { startByte: size, ifRange: validator }
      : { startByte: 0 }
  } catch {
    return { startByte: 0 }
  }
}

/** A full disk or a folder that was taken away is this machine's fault, not the source's. */
const isLocal = (error: unknown): boolean =>
  LOCAL_CODES.has(String((error as NodeJS.ErrnoException | null)?.code))

const LOCAL_CODES = new Set([
  ...['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ENOMEM'],
  ...['ENOENT', 'ENOTDIR', 'ESTALE'],
])
