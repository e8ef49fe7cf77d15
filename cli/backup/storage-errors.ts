import { Readable } from 'node:stream'
import { readSystemError } from '../../processes/system-error.ts'
import { ObjectNotFoundError, type ObjectStorage } from '../../storage/object-storage.ts'
import { CliError } from '../errors.ts'

type UsedStorage = Pick<ObjectStorage, 'list' | 'get' | 'stat' | 'putStream'>

/**
 * The same storage, whose errors say that they are the storage's. The codes of a lost connection are those of a lost
 * database too.
 */
export const withStorageErrors = (storage: UsedStorage): UsedStorage => ({
  list: (prefix) => describing(storage.list(prefix)),
  get: async (key, range) => {
    const { stream, sizeBytes } = await described(storage.get(key, range))
    return { stream: Readable.from(describing<Buffer>(stream), { objectMode: false }), sizeBytes }
  },
  stat: (key) => described(storage.stat(key)),
  putStream: (key, chunks, contentType) => described(storage.putStream(key, chunks, contentType)),
})

async function described<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw storageError(error)
  }
}

async function* describing<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    throw storageError(error)
  }
}

/** Errors of the file system keep their own words. */
function storageError(error: unknown): unknown {
  if (error instanceof CliError || error instanceof ObjectNotFoundError) return error
  const { code, syscall, message } = readSystemError(error)
  const isOfFiles = syscall !== '' && !['connect', 'read', 'write', 'getaddrinfo'].includes(syscall)
  if (isOfFiles || ['ENOSPC', 'EDQUOT', 'EIO'].includes(code)) return error
  return new CliError(
    `the object storage does not respond, or refuses: ${message || code}. Run the command again when it does.`,
    { code: 'service_unavailable' },
  )
}
