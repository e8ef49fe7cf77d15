import type { ServerResponse } from 'node:http'
import type { ObjectStorage, StoredObject } from '../../../storage/object-storage.ts'

/** A larger picture is streamed. */
export const PICTURE_MAX_BYTES = 1024 ** 2
/** Of a process: a client may ask for thousands of pictures at once, and read none of them. */
const HELD_MAX_BYTES = 64 * PICTURE_MAX_BYTES

/** Resolves to null if there is no such picture. Its `body` is null if it has to be streamed. */
export type ReadPicture = (key: string, response: ServerResponse) => Promise<StoredObject | null>

/**
 * Returns a function that reads a picture into memory, as long as those that are being read or sent have at most
 * `maxBytes`, 64 MiB by default. A picture counts as the largest until it is read, then with its bytes until its response ends.
 */
export function createPictureReader(
  storage: Pick<ObjectStorage, 'read'>,
  maxBytes: number = HELD_MAX_BYTES,
): ReadPicture {
  let heldBytes = 0
  const read = async (key: string): Promise<StoredObject | null> => {
    const expectedBytes = heldBytes + PICTURE_MAX_BYTES <= maxBytes ? PICTURE_MAX_BYTES : 0
    heldBytes += expectedBytes
    try {
      return await storage.read(key, expectedBytes)
    } finally {
      heldBytes -= expectedBytes
    }
  }
  return async (key, response) => {
    const object = await read(key)
    const bytes = object?.body?.length ?? 0
    // The viewer has left: `close` was already emitted.
    if (response.closed) return object
    heldBytes += bytes
    response.once('close', () => void (heldBytes -= bytes))
    return object
  }
}
