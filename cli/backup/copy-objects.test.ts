import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mediaPrefix } from '../../domain/videos/media-paths.ts'
import { createStorage, type ObjectStorage } from '../../storage/object-storage.ts'
import { copyVideoObjects, noCopies } from './copy-objects.ts'
import { openPool, type ObjectPool } from './object-pool.ts'

const VIDEO = '00000000000000000001'
/** As many as are copied at the same time, as the initialisation segments of that many audio tracks. */
const KEYS = [1, 2, 3, 4, 5, 6, 7, 8].map((track) => `${mediaPrefix(VIDEO)}audio-${track}/init.mp4`)
const CONTENT = Buffer.from('the same initialisation segment')

let folder: string
let storage: ObjectStorage
let pool: ObjectPool

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-copies-'))
  storage = createStorage({ driver: 'folder', dir: join(folder, 'storage') })
  pool = openPool(join(folder, 'pool'))
  for (const key of KEYS) await storage.putBuffer(key, CONTENT, 'video/mp4')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('a content is new once, however many objects have it at the same time', async () => {
  const count = noCopies()
  const { objects } = await copyVideoObjects(VIDEO, { storage, pool, earlier: [], count })
  expect(objects.map(({ key }) => key).toSorted()).toEqual(KEYS)
  expect(count).toMatchObject({
    objects: KEYS.length,
    readObjects: KEYS.length,
    newObjects: 1,
    newBytes: CONTENT.length,
  })
  const [sha256] = new Set(objects.map((object) => object.sha256))
  expect(await readFile(pool.toPath(sha256 ?? ''))).toEqual(CONTENT)
})
