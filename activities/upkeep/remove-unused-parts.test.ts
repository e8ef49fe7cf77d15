import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mediaPrefix, partPrefix, posterKey, uploadName } from '../../domain/videos/media-paths.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { RUNG } from '../../test/fixtures/published-video.ts'
import { removeUnusedParts } from './remove-unused-parts.ts'

const VIDEO = '0123456789abcdef0123'
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-parts-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('removes what killed attempts have stored, and nothing else of the video', async () => {
  const storage = createStorage({ driver: 'folder', dir: folder })
  const put = async (key: string): Promise<string> => {
    await storage.putBuffer(key, Buffer.from('x'), 'video/mp4')
    return key
  }
  const kept = await Promise.all([
    put(`${partPrefix(VIDEO, '360p', '0a0a0a0a')}1.m4s`),
    put(`${partPrefix(VIDEO, 'audio-0', '0b0b0b0b')}init.mp4`),
    // Published before renditions had parts.
    put(`${mediaPrefix(VIDEO)}240p/1.m4s`),
    // Looks like a token.
    put(posterKey(VIDEO, uploadName(12_345_678))),
    put(posterKey(VIDEO)),
  ])
  await put(`${partPrefix(VIDEO, '360p', '0c0c0c0c')}1.m4s`)
  await put(`${partPrefix(VIDEO, '360p', '0c0c0c0c')}init.mp4`)
  await put(`${partPrefix(VIDEO, '720p', '0a0a0a0a')}1.m4s`)
  const part = (token: string) => [{ firstSegment: 1, token }]
  const published = [
    { ...RUNG, parts: part('0a0a0a0a') },
    { ...RUNG, name: 'audio-0', parts: part('0b0b0b0b') },
    { ...RUNG, name: '240p' },
  ]
  const { signal } = new AbortController()
  await removeUnusedParts(storage, VIDEO, published, { signal })
  const left: string[] = []
  for await (const { key } of storage.list(mediaPrefix(VIDEO))) left.push(key)
  expect(left.toSorted()).toEqual(kept.toSorted())
})
