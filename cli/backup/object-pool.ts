import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readSystemError } from '../../processes/system-error.ts'
import { damaged } from './errors.ts'
import { digestFile, digesting, type Digest } from './hash.ts'

/**
 * The contents of all objects of all backups in a folder, each once, as the file `<2 hex>/<SHA-256>`. A file never
 * changes, so a later backup cannot harm an earlier one.
 */
export interface ObjectPool {
  toPath(sha256: string): string
  has(content: { sha256: string; sizeBytes: number }): Promise<boolean>
  /**
   * Stores what the stream yields; it survives a power cut when this resolves. `isNew` is false for a known content: of
   * several calls at the same time with one content, one has it true.
   */
  add(content: Readable): Promise<Digest & { isNew: boolean }>
  /** Yields a content. Throws a CliError that names the file, at its end at the latest, if it is missing or was altered. */
  read(content: { sha256: string }): AsyncGenerator<Buffer>
  /** Returns the path of a content. Throws a CliError that names the file if it is missing or was altered. */
  verify(content: { sha256: string }): Promise<string>
  /** Removes every content that `isKept` does not accept, and what killed runs have left. Resolves to the bytes. */
  prune(isKept: (sha256: string) => boolean): Promise<number>
}

const TEMPORARY = 'unfinished'

/** Opens the pool in a folder, which is created when needed. */
export function openPool(dir: string): ObjectPool {
  const toPath = (sha256: string) => join(dir, sha256.slice(0, 2), sha256)
  const has: ObjectPool['has'] = async ({ sha256, sizeBytes }) =>
    (await fileSize(toPath(sha256))) === sizeBytes
  const place = async (temporary: string, content: Digest): Promise<boolean> => {
    const path = toPath(content.sha256)
    if (await has({ sha256: content.sha256, sizeBytes: content.bytes })) return false
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await rename(temporary, path)
    await flushFolder(dirname(path))
    return true
  }
  const inTurn = takeTurns()
  return {
    toPath,
    has,
    async add(content) {
      const temporary = join(dir, TEMPORARY, crypto.randomUUID())
      await mkdir(dirname(temporary), { recursive: true, mode: 0o700 })
      try {
        const { stream, digest } = digesting()
        const file = createWriteStream(temporary, { mode: 0o400, flush: true })
        await pipeline(content, stream, file)
        const facts = digest()
        const isNew = await inTurn(facts.sha256, () => place(temporary, facts))
        return { ...facts, isNew }
      } finally {
        await rm(temporary, { force: true })
      }
    },
    read: ({ sha256 }) => readVerified(toPath(sha256), sha256),
    async verify({ sha256 }) {
      const path = toPath(sha256)
      const facts = await unlessMissing(digestFile(path))
      if (facts === null) throw damaged(path, 'is missing')
      if (facts.sha256 !== sha256) throw damaged(path, 'does not have its checksum')
      return path
    },
    prune: (isKept) => prune(dir, isKept),
  }
}

/** Returns a function that runs work under a name, after the earlier work under the same name has ended. */
function takeTurns() {
  const running = new Map<string, Promise<unknown>>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    for (let other = running.get(name); other; other = running.get(name))
      await other.catch(() => undefined)
    const own = work()
    running.set(name, own)
    try {
      return await own
    } finally {
      running.delete(name)
    }
  }
}

async function* readVerified(path: string, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const file = await unlessMissing(open(path, 'r'))
  if (file === null) throw damaged(path, 'is missing')
  for await (const chunk of file.createReadStream({
    highWaterMark: 1 << 18,
  }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw damaged(path, 'does not have its checksum')
}

async function prune(dir: string, isKept: (sha256: string) => boolean): Promise<number> {
  let bytes = 0
  await rm(join(dir, TEMPORARY), { recursive: true, force: true })
  for (const folder of (await unlessMissing(readdir(dir))) ?? [])
    for (const name of await readdir(join(dir, folder))) {
      if (isKept(name)) continue
      const path = join(dir, folder, name)
      bytes += (await fileSize(path)) ?? 0
      await rm(path, { force: true })
    }
  return bytes
}

/** Writes the entries of a folder to the disk. */
export async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const fileSize = async (path: string): Promise<number | null> =>
  (await unlessMissing(stat(path)))?.size ?? null

async function unlessMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result
  } catch (error) {
    if (readSystemError(error).code === 'ENOENT') return null
    throw error
  }
}
