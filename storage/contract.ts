import type { Readable } from 'node:stream'

/** Objects by key. Both drivers keep the same promises, which `object-storage.test.ts` lists. */
export interface ObjectStorage {
  /**
   * Stores the file at `path`; whoever reads sees the old object or the whole new one. The file is
   * not to be written to afterwards (removing it is fine): where both lie on one disk they are one.
   * `onProgress` is called with each piece that is read of it.
   */
  putFile(key: string, path: string, contentType: string, onProgress?: () => void): Promise<void>
  /** The same, from memory. */
  putBuffer(key: string, body: Buffer, contentType: string): Promise<void>
  /**
   * Opens an object, or the bytes of `range` (both ends included, the end may lie beyond the
   * object). `sizeBytes` is the size of the whole object. The caller reads or destroys the stream.
   * Throws ObjectNotFoundError, or RangeNotSatisfiableError where the range begins at or after the end.
   */
  get(key: string, range?: ByteRange): Promise<{ stream: Readable; sizeBytes: number }>
  /**
   * A whole object in memory, in one go; `body` is null where it is larger than `maxBytes`. Null where
   * there is no such object.
   */
  read(key: string, maxBytes: number): Promise<StoredObject | null>
  /**
   * A web address under which anybody may GET the object until `ttlSeconds` after `signedAt`; the same
   * for the same arguments. Only of storage that browsers reach by themselves.
   */
  presign?(key: string, options: { ttlSeconds: number; signedAt: Date }): Promise<string>
  /** Null where there is no such object. The etag changes with the content and has no quotes. */
  stat(key: string): Promise<ObjectFacts | null>
  /** Every object whose key begins with `prefix`, which is empty or ends in a slash; in no set order. */
  list(prefix: string): AsyncIterable<{ key: string; sizeBytes: number }>
  /**
   * Removes every object under `prefix`, which ends in a slash; resolves to how many there were.
   * `onProgress` is called again and again meanwhile.
   */
  deletePrefix(prefix: string, onProgress?: () => void): Promise<number>
}

/** Both ends included. */
export interface ByteRange {
  startByte: number
  endByte: number
}

/** How many bytes a range has. */
export const lengthOf = ({ startByte, endByte }: ByteRange): number => endByte - startByte + 1

interface ObjectFacts {
  sizeBytes: number
  etag: string
  modifiedAt: Date
}

export interface StoredObject {
  sizeBytes: number
  /** As `stat` tells it. */
  etag: string
  body: Buffer | null
}

/** There is no object with the key. */
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
// No part begins with a dot, so neither `..` nor the driver's own files can be named.
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

/** Throws unless `key` is parts of letters, digits and `.` `_` `-`, joined by slashes. */
export function assertKey(key: string): void {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) throw new Error('not a valid object key')
}

/** Throws unless `prefix` is a key with a slash behind it. */
export function assertPrefix(prefix: string): void {
  if (!prefix.endsWith('/')) throw new Error('a prefix ends in a slash')
  assertKey(prefix.slice(0, -1))
}

/** Throws unless the range is two whole numbers in order. */
export function assertRange({ startByte, endByte }: ByteRange): void {
  if (!Number.isSafeInteger(startByte) || !Number.isSafeInteger(endByte) || startByte < 0) {
    throw new Error('a range is two whole numbers')
  }
  if (endByte < startByte) throw new RangeNotSatisfiableError('the range ends before it begins')
}
