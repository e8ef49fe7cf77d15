import { randomUUID } from 'node:crypto'
import { constants, createWriteStream, type BigIntStats } from 'node:fs'
import {
  access,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { cloneOrCopy } from './clone-or-copy.ts'
import {
  assertKey,
  assertPrefix,
  assertRange,
  ObjectNotFoundError,
  RangeNotSatisfiableError,
  storageErrorCode,
  type ByteRange,
  type ListedObject,
  type ObjectStorage,
  type StoredObject,
} from './contract.ts'
import { folderPartialObjects, isPartialUnder } from './folder-parts.ts'

// No key begins with a dot, so files in here are never objects.
const TEMPORARY_FOLDER = '.tmp'

/** Stores objects as files under `dir`, which is created when needed. */
export function createFolderStorage(dir: string): ObjectStorage {
  const pathOf = (key: string) => {
    assertKey(key)
    return join(dir, ...key.split('/'))
  }
  return {
    putFile: (key, path, _contentType, onProgress) =>
      publish(dir, pathOf(key), (temporary) => linkOrCopy(path, temporary, onProgress)),
    putStream: async (key, chunks) =>
      publish(dir, pathOf(key), (temporary) =>
        pipeline(chunks, createWriteStream(temporary, { mode: 0o600 })),
      ),
    partial: folderPartialObjects({
      temporary: join(dir, TEMPORARY_FOLDER),
      pathOf,
      publish: flushAndRename,
    }),
    putBuffer: (key, body) => publish(dir, pathOf(key), (temporary) => writeFile(temporary, body)),
    get: async (key, range) => openFile(key, pathOf(key), range),
    read: (key, maxBytes) => readFile(pathOf(key), maxBytes),
    stat: async (key) => {
      const facts = await unlessMissing(stat(pathOf(key), { bigint: true }))
      if (!facts?.isFile()) return null
      return { sizeBytes: Number(facts.size), etag: fileEtag(facts), modifiedAt: facts.mtime }
    },
    list: (prefix) => {
      if (prefix !== '') assertPrefix(prefix)
      return listFiles(dir, prefix)
    },
    listFolders: async (prefix, { after, limit }) => {
      assertPrefix(prefix)
      const entries =
        (await unlessMissing(readdir(join(dir, prefix), { withFileTypes: true }))) ?? []
      return entries
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${name}/`)
        .filter((folder) => after === '' || folder > `${after}/`)
        .toSorted(byBytes)
        .slice(0, limit)
        .map((folder) => folder.slice(0, -1))
    },
    deletePrefix: async (prefix, onProgress) => {
      assertPrefix(prefix)
      let count = 0
      for await (const _ of listFiles(dir, prefix)) {
        count += 1
        onProgress?.()
      }
      await rm(join(dir, prefix), { recursive: true, force: true, maxRetries: 3 })
      for (const name of await listTemporary(dir))
        if (isPartialUnder(prefix, name)) await rm(temporaryPath(dir, name), { force: true })
      return count
    },
    removeUnfinished: (time, { onProgress } = {}) => removeUnfinished(dir, time, onProgress),
    check: async () => {
      await mkdir(dir, { recursive: true })
      await access(dir, constants.R_OK | constants.X_OK)
    },
  }
}

/** Keys are ASCII. */
const byBytes = (a: string, b: string): number => (a < b ? -1 : 1)

const temporaryPath = (dir: string, name: string): string => join(dir, TEMPORARY_FOLDER, name)

const listTemporary = async (dir: string): Promise<string[]> =>
  (await unlessMissing(readdir(join(dir, TEMPORARY_FOLDER)))) ?? []

async function removeUnfinished(dir: string, time: Date, onProgress?: () => void): Promise<number> {
  let count = 0
  for (const name of await listTemporary(dir)) {
    onProgress?.()
    const path = temporaryPath(dir, name)
    const facts = await unlessMissing(stat(path))
    if (!facts || facts.mtime >= time) continue
    await rm(path, { force: true })
    count += 1
  }
  return count
}

/** Links the file, because stored objects never change. On another file system, clones or copies it. */
async function linkOrCopy(from: string, to: string, onProgress?: () => void): Promise<void> {
  try {
    await link(from, to)
  } catch {
    await cloneOrCopy(from, to, onProgress)
  }
}

// Writes a temporary file, flushes and renames it: a crash leaves the old object or the new one, never a part.
async function publish(dir: string, path: string, write: (temporary: string) => Promise<void>) {
  const temporary = temporaryPath(dir, randomUUID())
  await mkdir(dirname(temporary), { recursive: true })
  try {
    await write(temporary)
    await flushAndRename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

async function flushAndRename(temporary: string, path: string): Promise<void> {
  await flush(temporary)
  await renameInto(temporary, path)
  await flush(dirname(path))
}

async function renameInto(temporary: string, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await mkdir(dirname(path), { recursive: true })
    try {
      return await rename(temporary, path)
    } catch (error) {
      // A concurrent deletePrefix may have removed the folder.
      if (storageErrorCode(error) !== 'ENOENT' || attempt === 3) throw error
    }
  }
}

async function flush(path: string): Promise<void> {
  const handle = await unlessMissing(open(path, 'r'))
  try {
    await handle?.sync()
  } finally {
    await handle?.close()
  }
}

async function openFile(key: string, path: string, range?: ByteRange) {
  if (range) assertRange(range)
  const handle = await unlessMissing(open(path, 'r'))
  if (!handle) throw new ObjectNotFoundError(key)
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) throw new ObjectNotFoundError(key)
    if (range && range.startByte >= facts.size) {
      throw new RangeNotSatisfiableError(`${key} has ${facts.size} bytes`)
    }
    const part = range && { start: range.startByte, end: range.endByte }
    return { stream: handle.createReadStream(part), sizeBytes: facts.size }
  } catch (error) {
    await handle.close()
    throw error
  }
}

const fileEtag = ({ mtimeNs, size }: BigIntStats): string =>
  `${mtimeNs.toString(16)}-${size.toString(16)}`

async function readFile(path: string, maxBytes: number): Promise<StoredObject | null> {
  const handle = await unlessMissing(open(path, 'r'))
  if (!handle) return null
  try {
    const facts = await handle.stat({ bigint: true })
    if (!facts.isFile()) return null
    const sizeBytes = Number(facts.size)
    const body = sizeBytes > maxBytes ? null : await readWhole(handle, sizeBytes)
    return { sizeBytes, etag: fileEtag(facts), body }
  } finally {
    await handle.close()
  }
}

/** Faster than `handle.readFile`, which reads in chunks of half a mebibyte. */
async function readWhole(handle: FileHandle, sizeBytes: number): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(sizeBytes)
  let offset = 0
  while (offset < sizeBytes) {
    const { bytesRead } = await handle.read(body, offset, sizeBytes - offset, offset)
    if (bytesRead === 0) throw new Error('a stored file became shorter')
    offset += bytesRead
  }
  return body
}

async function* listFiles(dir: string, prefix: string): AsyncGenerator<ListedObject> {
  const root = join(dir, prefix)
  const folders = [root]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await unlessMissing(readdir(folder, { withFileTypes: true }))
    for (const entry of entries ?? []) {
      if (entry.name.startsWith('.')) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      if (!entry.isFile()) continue
      const facts = await unlessMissing(stat(path, { bigint: true }))
      const key = path.slice(dir.length).split(sep).filter(Boolean).join('/')
      if (facts)
        yield { key, sizeBytes: Number(facts.size), etag: fileEtag(facts), modifiedAt: facts.mtime }
    }
  }
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result
  } catch (error) {
    if (storageErrorCode(error) === 'ENOENT' || storageErrorCode(error) === 'ENOTDIR') return null
    throw error
  }
}
