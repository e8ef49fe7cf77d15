import { Refusal } from '../commands/refusal.ts'
import { declareUploadSize, reserveUpload } from '../commands/uploads/write-upload.ts'
import { SourceWriteLostError } from '../db/ingest/source-writes.ts'
import type { UploadDetails } from '../db/uploads/uploads.ts'
import { SOURCE_MAX_BYTES } from '../domain/limits.ts'
import { completeIfStored, openUpload, type UploadDeps } from '../sources/complete-upload.ts'
import type { SourceWriter } from '../sources/source-writer.ts'
import { arePartsWanted } from '../storage/object-storage.ts'
import { readUploadBody, type UploadBody } from './upload-body.ts'

/** The client continues at another byte than the one that is stored last. */
export class UploadOffsetError extends Error {
  override name = 'UploadOffsetError'
  readonly offsetBytes: number
  constructor(offsetBytes: number) {
    super(`the upload continues at byte ${offsetBytes}`)
    this.offsetBytes = offsetBytes
  }
}

/** Bytes that a client sends of an upload. */
export interface ArrivingBytes {
  body: AsyncIterable<Buffer>
  /** Of the whole file; null if the client does not know it yet. */
  sizeBytes: number | null
  /** The place of the first byte in the file. */
  startByte: number
  /** How many bytes the client announces; null if it does not. */
  bodyBytes: number | null
  /** How often it is recorded that bytes arrive: 20 s by default, shorter in tests. */
  notedEveryMs?: number
}

const IDLE_MS = 60_000
const TURN_MS = 2_000
/** Storage is reserved in such steps for a body of unknown length. */
const RESERVED_STEP_BYTES = 64 << 20
/** How often a request records that bytes arrive: an upload may expire a minute after the last one. */
const NOTED_EVERY_MS = 20_000

/**
 * Stores the bytes that a client sends of an upload, and resolves to how many of the file are stored. All bytes that have arrived
 * count, also if the client is gone before the end: then its error is thrown after they are recorded. The last byte of the file makes the video. Throws an UploadOffsetError
 * if the bytes do not follow those that are stored, and a SourceWriteLostError if the upload has ended or another request has taken it
 * over. Refuses as `reserveUpload` and `completeUpload` do.
 */
export async function receiveUpload(
  deps: UploadDeps,
  upload: UploadDetails,
  { body, startByte, sizeBytes, bodyBytes, notedEveryMs = NOTED_EVERY_MS }: ArrivingBytes,
): Promise<number> {
  if (sizeBytes !== null && upload.sizeBytes === null)
    await declareUploadSize(deps.db.em.fork(), upload, sizeBytes)
  const totalBytes = upload.sizeBytes ?? sizeBytes
  if (upload.offsetBytes === totalBytes) {
    if (startByte !== totalBytes) throw new UploadOffsetError(totalBytes)
    if (await completeIfStored(deps, { ...upload, sizeBytes: totalBytes })) return totalBytes
  }
  const writer = await openUpload(deps, { ...upload, sizeBytes: totalBytes })
  try {
    if (writer.offset() !== startByte) throw new UploadOffsetError(writer.offset())
    const maxBytes = (totalBytes ?? SOURCE_MAX_BYTES) - startByte
    const arriving = readUploadBody(body, {
      maxBytes,
      idleMs: IDLE_MS,
      turnMs: TURN_MS,
      shouldYield: arePartsWanted,
    })
    const growth = totalBytes === null ? { startByte, bodyBytes } : null
    const note = noteArrival(deps, upload, notedEveryMs)
    await append(deps, upload, writer, arriving, { growth, note })
    if (writer.offset() === totalBytes) await writer.finish()
    const fault = arriving.fault()
    if (fault !== undefined) throw fault
    return writer.offset()
  } finally {
    // The next writer makes a copy if this fails.
    await writer.release().catch(() => {})
  }
}

/** Of a file whose size is not known. */
interface Growth {
  startByte: number
  bodyBytes: number | null
}

/** Appends what arrives, and records it. Reserves storage for a file of unknown size first. */
async function append(
  deps: UploadDeps,
  upload: UploadDetails,
  writer: SourceWriter,
  arriving: UploadBody,
  { growth, note }: { growth: Growth | null; note: () => Promise<void> },
): Promise<void> {
  let reservedBytes = growth ? 0 : Infinity
  const reserved = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (growth && arriving.receivedBytes() > reservedBytes) {
        reservedBytes = await reserveMore(deps, upload, growth, arriving.receivedBytes())
      }
      await note()
      yield chunk
    }
  }
  // A client that is silent between two turns holds no memory of a writer.
  while (await arriving.ready()) {
    await writer.append(reserved(arriving.turn()))
    await writer.keep()
    await writer.pause()
  }
}

/** Reserves the rest of a body, or a step of one whose length is not known; only what has arrived if the plan has no room for more. */
async function reserveMore(
  { db }: UploadDeps,
  upload: UploadDetails,
  { startByte, bodyBytes }: Growth,
  receivedBytes: number,
): Promise<number> {
  const reserve = async (bytes: number): Promise<number> => {
    await reserveUpload(db.em.fork(), upload, startByte + bytes)
    return bytes
  }
  if (bodyBytes !== null) return reserve(bodyBytes)
  try {
    return await reserve(receivedBytes + RESERVED_STEP_BYTES)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return reserve(receivedBytes)
  }
}

/** Returns a function that records, at most so often, that bytes arrive: a request may last longer than its upload may be without a byte. */
function noteArrival({ db }: UploadDeps, upload: UploadDetails, everyMs: number) {
  let notedAtMs = performance.now()
  return async (): Promise<void> => {
    if (performance.now() - notedAtMs < everyMs) return
    notedAtMs = performance.now()
    await reserveUpload(db.em.fork(), upload, 0).catch((error: unknown) => {
      // A database that is away is met by the next part.
      if (error instanceof SourceWriteLostError) throw error
    })
  }
}
