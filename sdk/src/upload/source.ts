import { invalidArgument, ReelgateError } from '../error.ts'

/**
 * What can be uploaded: a File or Blob (in Node, `await fs.openAsBlob(path)`), or bytes of unknown length. A stream begins with the
 * first byte of the file, also if the upload continues.
 */
export type UploadSource = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** Bytes of a source, and whether they are its last ones. */
interface SourceChunk {
  body: Blob
  isLast: boolean
}

/** Reads a source in chunks that may have to be sent again. */
export interface SourceReader {
  /** Null if it is not known before the end. */
  sizeBytes: number | null
  /** Returns at most `maxBytes` from `startByte` on, which never goes back before that of an earlier call by more than its chunk. */
  read: (startByte: number, maxBytes: number) => Promise<SourceChunk>
  close: () => void
}

/** Opens a source. Throws a ReelgateError `invalid_parameter` for something else. */
export function readSource(source: UploadSource, signal: AbortSignal): SourceReader {
  if (source instanceof Blob) return blobReader(source)
  if (source instanceof ReadableStream) {
    const reader = source.getReader()
    // A cancelled stream of Node may throw where no caller catches it; who made the stream ends it.
    return streamReader({ next: () => reader.read(), close: () => reader.releaseLock() }, signal)
  }
  if (typeof source !== 'object' || source === null || !(Symbol.asyncIterator in source))
    throw invalidArgument('source', 'must be a File, a Blob or a stream of bytes')
  const items = source[Symbol.asyncIterator]()
  // Not awaited: a generator ends only once it has yielded what it was asked for.
  const close = (): void => void items.return?.().catch(() => {})
  return streamReader({ next: () => items.next(), close }, signal)
}

const blobReader = (blob: Blob): SourceReader => ({
  sizeBytes: blob.size,
  close() {},
  async read(startByte, maxBytes) {
    const endByte = Math.min(blob.size, startByte + maxBytes)
    const body = blob.slice(startByte, endByte)
    await assertReadable(body)
    return { body, isLast: endByte === blob.size }
  },
})

/** A file may be changed or removed while it is sent; requests fail then as if the network were gone. */
async function assertReadable(body: Blob): Promise<void> {
  try {
    await body.slice(0, 1).arrayBuffer()
  } catch (cause) {
    throw new ReelgateError({
      type: 'upload_failed',
      code: 'file_unreadable',
      message: 'The file was changed or removed, or may not be read.',
      cause,
    })
  }
}

interface Stream {
  next: () => Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>
  close: () => void
}

/** Keeps the bytes of a stream until those behind them are read: they may have to be sent twice, and can be read once. */
function streamReader(stream: Stream, signal: AbortSignal): SourceReader {
  let held: Uint8Array[] = []
  let heldFrom = 0
  let heldBytes = 0
  let hasEnded = false
  const drop = (bytes: number): void => {
    heldFrom += bytes
    heldBytes -= bytes
    while (bytes > 0) {
      const [first] = held
      if (first === undefined) return
      if (first.byteLength > bytes) held[0] = first.subarray(bytes)
      else held.shift()
      bytes -= first.byteLength
    }
  }
  const fill = async (): Promise<void> => {
    const { done, value } = await unlessAborted(stream.next(), signal)
    hasEnded = done === true
    if (hasEnded) return
    if (!(value instanceof Uint8Array)) throw invalidArgument('source', 'must yield Uint8Array')
    held.push(value)
    heldBytes += value.byteLength
  }
  return {
    sizeBytes: null,
    close: stream.close,
    async read(startByte, maxBytes) {
      while (heldFrom < startByte && !(hasEnded && heldBytes === 0)) {
        if (heldBytes === 0) await fill()
        drop(Math.min(heldBytes, startByte - heldFrom))
      }
      if (heldFrom !== startByte) throw sizeMismatch(heldFrom, startByte)
      while (heldBytes < maxBytes && !hasEnded) await fill()
      const body = new Blob(held as Uint8Array<ArrayBuffer>[]).slice(0, maxBytes)
      return { body, isLast: hasEnded && heldBytes <= maxBytes }
    },
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** The error of a file that is not the one of which the upload has the beginning. */
export const sizeMismatch = (fileBytes: number, uploadBytes: number): ReelgateError =>
  new ReelgateError({
    type: 'upload_failed',
    code: 'upload_size_mismatch',
    message: `The file has ${fileBytes} bytes, and the upload ${uploadBytes}.`,
  })
