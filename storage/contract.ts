import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { StoredPart } from '../domain/encoding/stored-part.ts'

/** Objects by key. `object-storage.test.ts` tests the same behaviour of both drivers. */
export interface ObjectStorage {
  /**
   * Stores the file at `path`. Readers see the old object or the whole new one. The caller may remove the
   * file afterwards but must not write to it, because on the same disk the object is a hard link.
   * Calls `onProgress` with each chunk that it reads.
   */
  putFile(key: string, path: string, contentType: string, onProgress?: () => void): Promise<void>
  /** The same, from memory. */
  putBuffer(key: string, body: Buffer, contentType: string): Promise<void>
  /**
   * Stores what `chunks` yields, whose length need not be known. Readers see the old object or the whole new
   * one. If `chunks` throws, nothing is stored, and its error is thrown. What a killed process has written is
   * no object; `removeUnfinished` removes it.
   */
  putStream(key: string, chunks: AsyncIterable<Buffer>, contentType: string): Promise<void>
  readonly partial: PartialObjects
  /**
   * Opens an object, or the bytes of `range` (both ends included, the end may exceed the
   * object). `sizeBytes` is the size of the whole object. The caller reads or destroys the stream.
   * Throws ObjectNotFoundError, or RangeNotSatisfiableError if the range begins at or after the end.
   */
  get(key: string, range?: ByteRange): Promise<{ stream: Readable; sizeBytes: number }>
  /**
   * Reads a whole object into memory; `body` is null if it is larger than `maxBytes`. Returns null if the
   * object does not exist.
   */
  read(key: string, maxBytes: number): Promise<StoredObject | null>
  /**
   * Returns a URL for GET requests to the object, valid without credentials until `ttlSeconds` after
   * `signedAt`; the same URL for the same arguments. Only for storage that browsers can reach.
   */
  presign?(key: string, options: { ttlSeconds: number; signedAt: Date }): Promise<string>
  /** Returns null if the object does not exist. The etag changes with the content and has no quotes. */
  stat(key: string): Promise<ObjectFacts | null>
  /**
   * Lists every object whose key begins with `prefix`, which is empty or ends in a slash; in no fixed order.
   * The etag is as returned by `stat`.
   */
  list(prefix: string): AsyncIterable<ListedObject>
  /**
   * Returns the names of up to `limit` (1,000 at most) folders in `prefix`, which ends in a slash: those behind the name
   * `after`, in the order of the bytes of their keys. An empty `after` begins with the first.
   */
  listFolders(prefix: string, page: { after: string; limit: number }): Promise<string[]>
  /**
   * Removes every object and every unfinished upload under `prefix`, which ends in a slash; resolves to the
   * number of objects. Calls `onProgress` repeatedly until then.
   */
  deletePrefix(prefix: string, onProgress?: () => void): Promise<number>
  /**
   * Removes what killed processes have written of objects since before `time`: uploads that began earlier (S3), or files
   * that were last written earlier (folder). Returns how many it removed.
   */
  removeUnfinished(time: Date, options?: UnfinishedOptions): Promise<number>
  /** Rejects if objects cannot be read at the moment, with the error of the system or of the S3 service. */
  check(): Promise<void>
}

interface UnfinishedOptions {
  /** Whether the object of this key is still written, however long ago its upload began. Only S3 asks: a file says when it was last written. */
  isKept?: (key: string) => boolean
  /** Called repeatedly until the end. */
  onProgress?: () => void
}

/**
 * Objects that are written in parts, by one process after another. What was put outlives the process. Parts follow each
 * other by growing numbers; all have `PART_BYTES`, except the last one. The object is visible after `join`.
 * `deletePrefix` and `removeUnfinished` remove an object that is not whole. `resume` then throws `NoSuchUpload` (S3) or `ENOENT`
 * (folder); S3 may cut off a `put`.
 */
export interface PartialObjects {
  /** Begins an object and returns its id. */
  begin: (key: string, contentType: string) => Promise<string>
  /**
   * Continues an object of which the first `sizeBytes` count. Returns its id, which is a new one if the
   * process before `mayWrite`, and the object has to be separated from it. Calls `onProgress` while it copies.
   */
  resume: (
    key: string,
    id: string,
    before: { sizeBytes: number; mayWrite: boolean },
    onProgress?: () => void,
  ) => Promise<string>
  /** Stores a part and returns its etag. */
  put: (
    key: string,
    id: string,
    part: { number: number; startByte: number },
    body: Buffer,
  ) => Promise<string>
  /** Makes the object of all its parts. Safe to repeat. */
  join: (key: string, id: string, parts: readonly StoredPart[]) => Promise<void>
  /** Removes an object that is not whole. */
  abort: (key: string, id: string) => Promise<void>
}

/** Reads bytes of an object into memory, with the size of the whole object. Throws as `get` does. */
export async function readRange(
  storage: Pick<ObjectStorage, 'get'>,
  key: string,
  range: ByteRange,
): Promise<{ body: Buffer; sizeBytes: number }> {
  const { stream, sizeBytes } = await storage.get(key, range)
  return { body: await buffer(stream), sizeBytes }
}

/** Both ends included. */
export interface ByteRange {
  startByte: number
  endByte: number
}

/** Returns the number of bytes in a range. */
export const lengthOf = ({ startByte, endByte }: ByteRange): number => endByte - startByte + 1

/** An object in a list. */
export interface ListedObject {
  key: string
  sizeBytes: number
  etag: string
  modifiedAt: Date
}

interface ObjectFacts {
  sizeBytes: number
  etag: string
  modifiedAt: Date
}

export interface StoredObject {
  sizeBytes: number
  /** As returned by `stat`. */
  etag: string
  body: Buffer | null
}

/** No object has the key. */
export class ObjectNotFoundError extends Error {
  override name = 'ObjectNotFoundError'
  constructor(key: string) {
    super(`no object ${key}`)
  }
}

/** The range begins at or after the end of the object. */
export class RangeNotSatisfiableError extends Error {
  override name = 'RangeNotSatisfiableError'
}

const MAX_KEY_LENGTH = 512
// No part begins with a dot, so a key cannot contain `..` or name the driver's temporary files.
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

/** Throws unless `key` consists of parts of letters, digits and `.` `_` `-`, joined by slashes. */
export function assertKey(key: string): void {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) throw new Error('not a valid object key')
}

/** Throws unless `prefix` is a key followed by a slash. */
export function assertPrefix(prefix: string): void {
  if (!prefix.endsWith('/')) throw new Error('a prefix ends in a slash')
  assertKey(prefix.slice(0, -1))
}

/** Throws unless the range is two ascending whole numbers. */
export function assertRange({ startByte, endByte }: ByteRange): void {
  if (!Number.isSafeInteger(startByte) || !Number.isSafeInteger(endByte) || startByte < 0) {
    throw new Error('a range is two whole numbers')
  }
  if (endByte < startByte) throw new RangeNotSatisfiableError('the range ends before it begins')
}

/** Returns the `code` of an error of Node or of the S3 client, such as `ENOENT` or `NoSuchKey`. */
export const storageErrorCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
