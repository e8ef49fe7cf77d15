import { createWriteStream } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Egress } from '../egress/egress.ts'
import { openVideoSource } from '../egress/open-video-source.ts'
import type { OpenedSource } from '../egress/open-video-source.ts'
import { SourceError } from '../egress/source-error.ts'
import type { WorkFolder } from './work-folder.ts'

/** A source that sends nothing for this long has failed its attempt. */
const STALL_MS = 60_000
/** 20 GiB at half a megabyte a second. */
const DEADLINE_MS = 12 * 3_600_000
const REPORT_EVERY_MS = 1_000

export interface FetchOptions {
  url: string
  folder: WorkFolder
  maxBytes: { maxBytes: number; code: 'source_too_large' | 'insufficient_storage' }
  signal: AbortSignal
  report: (bytes: number, total: number | null) => void
}

/**
 * Downloads into `folder.partialPath`, going on where an earlier attempt stopped if the server
 * still has the same file. Bytes are counted whatever Content-Length said.
 * Throws a SourceError for everything that lies with the source.
 */
export async function fetchSource(egress: Egress, options: FetchOptions): Promise<void> {
  const { folder, url, maxBytes } = options
  const resume = await resumePoint(folder)
  const stall = new AbortController()
  const signal = AbortSignal.any([options.signal, stall.signal])
  const source = await openVideoSource(egress, url, {
    availableBytes: maxBytes.maxBytes,
    deadlineMs: DEADLINE_MS,
    signal,
    ...resume,
  })
  await writeFile(folder.partialFactsPath, JSON.stringify({ etag: source.etag }), { mode: 0o600 })
  try {
    await receive(source, options, stall)
  } catch (error) {
    if (stall.signal.aborted)
      throw new SourceError('source_unreachable', 'The source stopped sending.')
    if (options.signal.aborted || error instanceof SourceError || isLocal(error)) throw error
    throw new SourceError('source_unreachable', 'The connection to the source broke off.')
  }
  await complete(folder, source.totalBytes)
}

async function receive(
  source: OpenedSource,
  options: FetchOptions,
  stall: AbortController,
): Promise<void> {
  const { folder, maxBytes, report } = options
  let bytes = source.startByte
  let reportedAt = 0
  let timer = setTimeout(() => stall.abort(), STALL_MS)
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      clearTimeout(timer)
      timer = setTimeout(() => stall.abort(), STALL_MS)
      if (bytes > maxBytes.maxBytes) return done(tooLarge(maxBytes.code))
      if (Date.now() - reportedAt > REPORT_EVERY_MS) {
        reportedAt = Date.now()
        report(bytes, source.totalBytes)
      }
      done(null, chunk)
    },
  })
  const flags = source.startByte > 0 ? 'r+' : 'w'
  const file = createWriteStream(folder.partialPath, {
    flags,
    start: source.startByte,
    mode: 0o600,
    highWaterMark: 1 << 20,
  })
  try {
    await pipeline(source.body, count, file, { signal: stall.signal })
  } finally {
    clearTimeout(timer)
  }
}

function tooLarge(code: 'source_too_large' | 'insufficient_storage'): SourceError {
  return new SourceError(
    code,
    code === 'source_too_large'
      ? 'The source is larger than 20 GiB.'
      : 'The source is larger than the storage that the plan has left.',
  )
}

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
    const etag = (facts as { etag?: unknown }).etag
    // Without a validator the file behind the link may be another one by now.
    return typeof etag === 'string' && size > 0
      ? { startByte: size, ifRange: etag }
      : { startByte: 0 }
  } catch {
    return { startByte: 0 }
  }
}

/** A full disk is this machine's fault, not the source's. */
const isLocal = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EMFILE'].includes(
    String((error as NodeJS.ErrnoException | null)?.code),
  )
