import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { SOURCE_MAX_BYTES } from '../../domain/limits.ts'
import { EgressError } from '../../egress/egress-error.ts'
import type { Egress } from '../../egress/egress.ts'
import { inspectVideoSource } from '../../egress/inspect-video-source.ts'
import { openVideoSource, type OpenedSource } from '../../egress/open-video-source.ts'
import { SourceError } from '../../egress/source-error.ts'
import { scratchCipher } from '../../security/sealing/scratch-cipher.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'
import { downloadErrorOf, internally } from './download-error.ts'
import {
  beginPart,
  checkComplete,
  type PartialDownload,
  type ResumePoint,
} from './partial-download.ts'
import { createRateWatch } from './rate-watch.ts'
import type { DownloadReservation } from './storage-reservation.ts'

/** The attempt fails if the source sends nothing for this long. */
const STALL_MS = 60_000
/** The average rate of a source is taken over this many times the time that it may send nothing: five minutes. */
const RATE_WINDOW_STALLS = 5
/** Enough for 20 GiB at half a megabyte per second. */
const DEADLINE_MS = 12 * 3_600_000
const REPORT_EVERY_MS = 1_000

export interface FetchOptions {
  url: string
  accountId: number
  folder: WorkFolder
  resumeAt: ResumePoint
  /** Of the source: its file is encrypted with it. */
  key: Buffer
  /** Whether the link may refuse HEAD: that of an import may. */
  mayRefuseHead: boolean
  /** Whether this service has signed the address: that of an object of a bucket. */
  isSigned: boolean
  /** Free storage of the plan for this source, when the attempt begins. */
  availableBytes: number
  /** Checks the plan again while bytes arrive, because other downloads use it too. */
  reservation: DownloadReservation
  signal: AbortSignal
  report: (bytes: number, total: number | null) => void
  /** Called when the response is there, with the byte at which its body begins. */
  onOpened: (download: PartialDownload, startByte: number) => void
  /** Called with the end of the file as it grows. */
  onWritten: (bytes: number) => void
  /** How long the source may send nothing: a minute by default, shorter in tests. */
  stallMs?: number | undefined
}

/**
 * Checks the link by a HEAD request as POST /v1/videos does (contract, "Videos": "again before
 * download"), or as its import did, then downloads from `resumeAt` if the server still has the same file, else from its start. Counts the bytes of
 * the file regardless of Content-Length, also those that were received before.
 * Throws a SourceError for every failure of the source. A connection that breaks off or falls silent is one only if
 * this installation reaches another host at that moment.
 */
export async function fetchSource(egress: Egress, options: FetchOptions): Promise<PartialDownload> {
  const watch = watchForStall(options.stallMs ?? STALL_MS)
  try {
    const source = await openSource(egress, options, watch.signal)
    const download = await beginPart(options.folder, options.resumeAt, source)
    options.onOpened(download, source.startByte)
    await receive(source, download, options, watch)
    await checkComplete(download, source.totalBytes)
    return download
  } catch (error) {
    if (options.signal.aborted) throw error
    const failure = watch.signal.aborted ? fellSilent() : downloadErrorOf(error)
    if (isBrokenOff(failure) && (await egress.isNetworkAway(options.url)))
      throw new EgressError('network_away', 'The network broke off.', failure)
    throw failure
  } finally {
    watch.end()
  }
}

const fellSilent = (): SourceError =>
  new SourceError('source_unreachable', 'The source stopped sending.', SILENCE)
const SILENCE = new EgressError('timeout', 'The source stopped sending.')

/** Whether the connection to a source ended in a way of which the network may be the cause. */
const isBrokenOff = (failure: unknown): boolean =>
  failure instanceof SourceError &&
  failure.cause instanceof EgressError &&
  (failure.cause.code === 'timeout' || failure.cause.code === 'connection_reset')

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
  { resumeAt, url, accountId, availableBytes, mayRefuseHead, isSigned, signal }: FetchOptions,
  stalled: AbortSignal,
): Promise<OpenedSource> {
  const ended = AbortSignal.any([signal, stalled])
  const allowed = { accountId, availableBytes, mayRefuseHead, isSigned }
  await inspectVideoSource(egress, url, { ...allowed, signal: ended })
  return openVideoSource(egress, url, {
    accountId,
    isSigned,
    deadlineMs: DEADLINE_MS,
    signal: ended,
    startByte: resumeAt.startByte,
    ifRange: resumeAt.validator,
  })
}

async function receive(
  source: OpenedSource,
  { files, firstByte, salt }: PartialDownload,
  options: FetchOptions,
  watch: ReturnType<typeof watchForStall>,
): Promise<void> {
  const { startByte } = source
  const file = createWriteStream(files.partialPath, {
    flags: startByte > firstByte ? 'r+' : 'w',
    start: startByte,
    mode: 0o600,
    highWaterMark: 1 << 20,
  })
  const written = (): void => options.onWritten(startByte + file.bytesWritten)
  const counted = (chunks: AsyncIterable<Buffer>) =>
    countBytes(chunks, source, { ...options, written }, watch)
  const encrypt = scratchCipher(options.key, salt, startByte)
  const encrypted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) yield encrypt(chunk)
  }
  await pipeline(source.body, counted, encrypted, file, { signal: watch.signal })
  written()
}

/** Passes the body on up to the limits: 20 GiB, and the free storage of the plan. */
async function* countBytes(
  chunks: AsyncIterable<Buffer>,
  { startByte, totalBytes }: OpenedSource,
  { reservation, report, written, stallMs }: FetchOptions & { written: () => void },
  watch: ReturnType<typeof watchForStall>,
): AsyncGenerator<Buffer> {
  let bytes = startByte
  let reportedAt = 0
  const rate = createRateWatch(RATE_WINDOW_STALLS * (stallMs ?? STALL_MS))
  await watch.pauseFor(internally(reservation.cover(totalBytes ?? startByte, totalBytes !== null)))
  rate.waits()
  for await (const chunk of chunks) {
    bytes += chunk.length
    watch.heard()
    rate.received(chunk.length)
    if (bytes > SOURCE_MAX_BYTES) throw tooLarge()
    if (Date.now() - reportedAt > REPORT_EVERY_MS) {
      reportedAt = Date.now()
      report(bytes, totalBytes)
    }
    if (!reservation.covers(bytes))
      await watch.pauseFor(internally(reservation.cover(bytes, false)))
    yield chunk
    written()
    rate.waits()
  }
}

const tooLarge = (): SourceError =>
  new SourceError('source_too_large', 'The source is larger than 20 GiB.')
