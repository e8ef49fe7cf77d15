import { forgetValidator, releaseSource } from '../commands/ingest/write-source.ts'
import { SourceWriteLostError, type SourceWrite } from '../db/ingest/source-writes.ts'
import type { WriterOf } from '../db/ingest/write-source-parts.ts'
import { PIECE_BYTES, type SourceTail } from '../domain/ingest/source-tail.ts'
import {
  createSourceSealer,
  newPieceMemory,
  newSourceId,
  SOURCE_HEADER,
  type SourceKeyOf,
  type SourceSealer,
} from '../security/sealing/encrypted-source.ts'
import { freeMemory } from '../storage/free-memory.ts'
import { gatherParts, type PartGatherer } from '../storage/object-storage.ts'
import {
  openSourceParts,
  restartParts,
  resumeParts,
  type SourceDeps,
  type SourceParts,
} from './source-parts.ts'
import { readTail, removeTail, sealedTailBytes, storeTail, tailLength } from './source-tail.ts'

/**
 * Writes the source of a video to storage, encrypted, while its bytes arrive (ADR 0032). Whole parts are recorded with
 * their row, so any process continues after a crash. After an error, release it and open it again.
 */
export interface SourceWriter {
  /** How many bytes of the file are recorded: where `append` continues after `pause` and in a new writer. */
  offset(): number
  /** Appends bytes, and resolves to the recorded offset. */
  append(chunks: AsyncIterable<Buffer>): Promise<number>
  /** Records all bytes that were appended, also those that make no part. `offset` counts them then. */
  keep(): Promise<void>
  /** Frees the memory of this writer until the next call. Forgets bytes that are not recorded. */
  pause(): Promise<void>
  /** Makes the source visible, which then is whole, and records it. Resolves to its size and its id. */
  finish(): Promise<WholeSource>
  /** Lets another process continue without a copy of what is recorded. Forgets bytes that are not recorded. */
  release(): Promise<void>
}

/** A source that is stored whole. */
interface WholeSource {
  sizeBytes: number
  sourceId: string
}

/** Whose source is written: a video that is ingested, or an upload. */
export interface SourceOwner {
  /** Makes the caller the only writer. Throws a SourceWriteLostError if the owner needs no writer any more. */
  claim(): Promise<{ by: WriterOf; row: SourceWrite }>
  /** Records a source that is stored whole. Throws a SourceWriteLostError if `by` is no longer the writer. */
  complete(source: WholeSource, by: WriterOf): Promise<void>
}

/** The file whose bytes arrive. */
export interface ArrivingFile {
  /** Says whether two requests have returned the same file; null if nothing does. */
  validator: string | null
  /** The process has no byte before this one. */
  firstByte: number
  /** How many bytes it has, if that is known: requests that end with a part then need no tail. */
  sizeBytes?: number | null
}

/**
 * Opens the source of a video for this process alone: an earlier writer throws a SourceWriteLostError
 * at its next part. Forgets what is stored of another file than the one that now arrives. Throws a SourceWriteLostError if
 * less than `firstByte` is stored, and as `owner` does. Calls `onProgress` while it copies what is stored.
 */
export async function openSourceWriter(
  deps: SourceDeps,
  of: SourceKeyOf,
  owner: SourceOwner,
  { validator, firstByte, sizeBytes = null }: ArrivingFile,
  onProgress?: () => void,
): Promise<SourceWriter> {
  const { by, row } = await owner.claim()
  const isSame = validator !== null && row.validator === validator
  const resumed = isSame ? await resumeParts(deps, by, row, onProgress) : null
  if ((resumed?.offsetBytes ?? 0) < firstByte)
    throw new SourceWriteLostError('the bytes before those that arrive are no longer stored')
  const begun = resumed ?? (await restartParts(deps, by, row, validator))
  return new Writer(deps, of, owner, { by, row: begun, sizeBytes })
}

/** What a writer continues. */
interface Begun {
  by: WriterOf
  row: SourceWrite
  sizeBytes: number | null
}

/** What a writer has in memory, between the first byte of a turn and its end. */
interface Turn {
  sealer: SourceSealer
  /** The memory of `sealer`. */
  piece: Buffer
  gathered: PartGatherer
}

class Writer implements SourceWriter {
  readonly #deps: SourceDeps
  readonly #of: SourceKeyOf
  readonly #owner: SourceOwner
  readonly #by: WriterOf
  readonly #parts: SourceParts
  readonly #sourceId: string
  readonly #sizeBytes: number | null
  /** What is recorded. */
  #recorded: Pick<SourceWrite, 'offsetBytes' | 'carry' | 'tail'>
  #turn: Turn | null = null
  #isEnding = false

  constructor(
    deps: SourceDeps,
    of: SourceKeyOf,
    owner: SourceOwner,
    { by, row, sizeBytes }: Begun,
  ) {
    this.#deps = deps
    this.#of = of
    this.#owner = owner
    this.#by = by
    this.#parts = openSourceParts(deps, by, row)
    this.#sourceId = row.sourceId ?? newSourceId()
    this.#sizeBytes = sizeBytes
    this.#recorded = row
  }

  offset(): number {
    const { offsetBytes, tail } = this.#recorded
    return offsetBytes + (tail ? tailLength(tail) : 0)
  }

  append(chunks: AsyncIterable<Buffer>): Promise<number> {
    return this.#orPause(async () => {
      const { sealer, gathered } = await this.#begin()
      for await (const chunk of chunks) {
        const bytes = sealer.heldBytes() + chunk.length
        if (bytes >= PIECE_BYTES) await gathered.room(bytes)
        for (const piece of sealer.add(chunk)) {
          await gathered.add(piece)
          piece.forEach(freeMemory)
        }
      }
      await gathered.rest()
      return this.#recorded.offsetBytes
    })
  }

  keep(): Promise<void> {
    return this.#orPause(async () => {
      if (!this.#turn) return
      const { sealer, gathered } = this.#turn
      const sealed = await gathered.rest()
      const { offsetBytes, tail } = this.#recorded
      const pieces = (sealer.sealedBytes() - offsetBytes) / PIECE_BYTES
      if (pieces === 0 && sealer.heldBytes() === 0) return
      const before = { offsetBytes, sourceId: this.#sourceId, tail }
      const bytes = { sealed, pieces, begun: sealer.held() }
      const stored = await storeTail(this.#deps, this.#of, this.#by, before, bytes)
      this.#recorded = { ...this.#recorded, tail: stored }
    })
  }

  async pause(): Promise<void> {
    const ended = this.#turn
    this.#turn = null
    await ended?.gathered.end()
    if (ended) freeMemory(ended.piece)
  }

  finish(): Promise<WholeSource> {
    return this.#orPause(async () => {
      const { sealer, gathered } = await this.#begin()
      const sizeBytes = sealer.sealedBytes() + sealer.heldBytes()
      if (sizeBytes > 0 && sealer.heldBytes() === 0) await forget(this.#deps, this.#by)
      this.#isEnding = true
      await gathered.add(sealer.end())
      await this.#parts.complete(await gathered.rest())
      await this.pause()
      const source = { sizeBytes, sourceId: this.#sourceId }
      await this.#owner.complete(source, this.#by)
      return source
    })
  }

  async release(): Promise<void> {
    await this.pause()
    await releaseSource(this.#deps.db.em.fork(), this.#by)
  }

  /** Begins a turn with the bytes that no part has yet, unless one has begun. */
  async #begin(): Promise<Turn> {
    if (this.#turn) return this.#turn
    const { offsetBytes, carry, tail } = this.#recorded
    const sealedBytes = offsetBytes + (tail?.pieces ?? 0) * PIECE_BYTES
    const piece = newPieceMemory()
    const memory = { sizeBytes: this.#sizeBytes, piece }
    const sealer = createSourceSealer(this.#of, sealedBytes, this.#sourceId, memory)
    const gathered = gatherParts((body, rest) => this.#putPart(sealer, body, rest))
    const turn = { sealer, gathered, piece }
    this.#turn = turn
    if (tail) await this.#addTail(turn, tail)
    else await gathered.add([offsetBytes === 0 ? SOURCE_HEADER : Buffer.from(carry)])
    return turn
  }

  async #addTail({ sealer, gathered }: Turn, tail: SourceTail): Promise<void> {
    await gathered.room(sealedTailBytes(tail))
    const { sealed, begun, free } = await readTail(this.#deps, this.#of, this.#recorded, tail)
    await gathered.add(sealed)
    free()
    for (const piece of sealer.add(begun)) await gathered.add(piece)
  }

  async #putPart(sealer: SourceSealer, body: Buffer, rest: readonly Buffer[]): Promise<void> {
    if (this.#isEnding) return this.#parts.put(body, null)
    const offsetBytes = sealer.sealedBytes()
    const carry = Buffer.concat(rest)
    const { tail } = this.#recorded
    await this.#parts.put(body, { offsetBytes, carry, sourceId: this.#sourceId })
    this.#recorded = { offsetBytes, carry, tail: null }
    // The part has its bytes.
    if (tail) await removeTail(this.#deps, this.#by.videoId, tail)
  }

  async #orPause<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      await this.pause()
      throw error
    }
  }
}

/** A part is recorded when a further byte has arrived, so the file is another one, in spite of its validator. */
async function forget({ db }: SourceDeps, by: WriterOf): Promise<never> {
  await forgetValidator(db.em.fork(), by)
  throw new SourceWriteLostError('the file is shorter than what is stored of it')
}
