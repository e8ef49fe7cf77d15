import { mkdtemp, rm } from 'node:fs/promises'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createStorage, type ObjectStorage } from '../../../storage/object-storage.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'
import { until } from '../../../test/infrastructure/wait-for.ts'
import { createPictureReader, PICTURE_MAX_BYTES } from './picture-reader.ts'

const REQUESTS = 80

let folder: string
let stored: ObjectStorage
let fixture: PlayerFixture
/** How many pictures are being read into memory. Their reads end with `storageResponds`. */
let reading = 0
let streamed = 0
const storageResponds = Promise.withResolvers<void>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-pictures-'))
  stored = createStorage({ driver: 'folder', dir: folder })
  const slow: ObjectStorage = {
    ...stored,
    read: async (key, maxBytes) => {
      if (maxBytes === 0) streamed += 1
      else reading += 1
      await storageResponds.promise
      return stored.read(key, maxBytes)
    },
  }
  fixture = await openPlayerFixture(() => ({ storage: slow }))
})
afterAll(async () => {
  await fixture?.close()
  await rm(folder, { recursive: true })
})

it('requests for many posters at once take a bounded amount of memory, also before the storage responds', async () => {
  const responses = Array.from({ length: REQUESTS }, async () =>
    (await fetch(`${fixture.base}/posters/${fixture.videoId}.jpg`)).text(),
  )
  await until(() => reading + streamed === REQUESTS)
  storageResponds.resolve()
  expect(new Set(await Promise.all(responses))).toEqual(new Set(['jpeg']))
  // 64 MiB, as each may have a mebibyte.
  expect(reading).toBe(64)
})

it('a picture takes its memory until its response ends', async () => {
  await stored.putBuffer('large.jpg', Buffer.alloc(PICTURE_MAX_BYTES, 1), 'image/jpeg')
  const read = createPictureReader(stored, 2 * PICTURE_MAX_BYTES)
  const responses = Array.from(
    { length: 4 },
    () => new ServerResponse(new IncomingMessage(new Socket())),
  )
  const isInMemory = async (response: ServerResponse): Promise<boolean> =>
    (await read('large.jpg', response))?.body?.length === PICTURE_MAX_BYTES
  const inMemory: boolean[] = []
  for (const response of responses.slice(0, 3)) inMemory.push(await isInMemory(response))
  expect(inMemory).toEqual([true, true, false])
  responses[0]?.emit('close')
  for (const response of responses.slice(3)) expect(await isInMemory(response)).toBe(true)
})
