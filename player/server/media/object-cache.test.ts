import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStorage, type ObjectStorage } from '../../../storage/object-storage.ts'
import { waitFor } from '../../../test/infrastructure/wait-for.ts'
import { createObjectCache } from './object-cache.ts'

const KIB = 1024
let folder: string
let storage: ObjectStorage
let reads: string[] = []
/** Keys whose next read never ends. */
const hung = new Set<string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-cache-'))
  const folderStorage = createStorage({ driver: 'folder', dir: folder })
  storage = {
    ...folderStorage,
    read: (key, maxBytes) => {
      reads.push(key)
      if (hung.delete(key)) return new Promise(() => {})
      return folderStorage.read(key, maxBytes)
    },
  }
  for (let number = 0; number < 30; number++)
    await storage.putBuffer(`o/${number}`, Buffer.alloc(100 * KIB, number), 'video/mp4')
  await storage.putBuffer('o/large', Buffer.alloc(9 * KIB ** 2), 'video/mp4')
})
afterAll(() => rm(folder, { recursive: true }))

const open = (maxBytes: number, times: { keptMs?: number; deadlineMs?: number } = {}) => {
  reads = []
  const cache = createObjectCache(storage, maxBytes, times)
  return { ...cache, find: (key: string) => cache.find(key, 100 * KIB) }
}

describe('objects in memory', () => {
  it('are read once for simultaneous and for later requests', async () => {
    const cache = open(KIB ** 2)
    const found = await Promise.all(Array.from({ length: 20 }, async () => cache.find('o/1')))
    found.push(await cache.find('o/1'))
    for (const object of found) expect(object?.body?.equals(Buffer.alloc(100 * KIB, 1))).toBe(true)
    expect(reads).toEqual(['o/1'])
  })

  it('stay below the size limit: the least recently used is evicted first', async () => {
    const cache = open(512 * KIB)
    for (const number of [1, 2, 3, 4, 1, 5, 6]) await cache.find(`o/${number}`)
    reads = []
    for (const number of [1, 5, 6, 2]) await cache.find(`o/${number}`)
    expect(reads).toEqual(['o/2'])
  })

  it('are found as soon as they exist: misses are not cached', async () => {
    const cache = open(KIB ** 2)
    expect(await cache.find('o/late')).toBeNull()
    await storage.putBuffer('o/late', Buffer.from('late'), 'video/mp4')
    expect((await cache.find('o/late'))?.body).toEqual(Buffer.from('late'))
  })

  it('expire, so that deleted objects are not served for longer', async () => {
    const cache = open(KIB ** 2, { keptMs: 1 })
    await storage.putBuffer('gone/1', Buffer.from('video'), 'video/mp4')
    expect(await cache.find('gone/1')).not.toBeNull()
    await storage.deletePrefix('gone/')
    await waitFor('the expiry', async () => (await cache.find('gone/1')) === null)
  })

  it('are read again after a read that did not end in time, whose viewers get 503', async () => {
    const cache = open(KIB ** 2, { deadlineMs: 100 })
    hung.add('o/7')
    const reason = { status: 503, code: 'service_unavailable' }
    const waiting = await Promise.allSettled([cache.find('o/7'), cache.find('o/7')])
    expect(waiting).toMatchObject([{ reason }, { reason }])
    expect(reads).toEqual(['o/7'])
    // On a busy machine, a read that ends is late too.
    const again = await waitFor('the object', async () =>
      Promise.resolve(cache.find('o/7')).catch(() => null),
    )
    expect(again.sizeBytes).toBe(100 * KIB)
  })

  it('have no body if they are large or slow viewers already hold too many', async () => {
    const cache = open(200 * KIB)
    expect(await cache.find('o/large')).toMatchObject({ sizeBytes: 9 * KIB ** 2, body: null })
    const releases: (() => void)[] = []
    const bodies: boolean[] = []
    for (let number = 0; number < 12; number++) {
      const object = await cache.find(`o/${number}`)
      if (object) releases.push(cache.hold(object))
      bodies.push(object?.body != null)
    }
    // The limit of four caches is 800 KiB, so the tenth object exceeds it.
    expect(bodies.indexOf(false)).toBe(9)
    for (const release of releases) release()
    expect((await cache.find('o/20'))?.body).not.toBeNull()
  })

  it('count once, however many viewers they are sent to', async () => {
    const cache = open(200 * KIB)
    const object = await cache.find('o/1')
    if (!object) throw new Error('not there')
    const releases = Array.from({ length: 50 }, () => cache.hold(object))
    expect((await cache.find('o/2'))?.body).not.toBeNull()
    for (const release of releases) release()
  })
})
