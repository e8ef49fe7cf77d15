import { describe, expect, it } from 'vitest'
import { partPrefix } from './media-paths.ts'
import { unusedPrefixOf, type ObjectOwner } from './unused-objects.ts'

const ID = '0123456789abcdef0123'
const MEDIA = `videos/${ID}/`
const SOURCE = `sources/${ID}/`
const USED = partPrefix(ID, '360p', '0a0a0a0a')

const video = (owner: Partial<ObjectOwner>): ObjectOwner => ({
  status: 'ready',
  isDeleted: false,
  keepsSource: false,
  partPrefixes: new Set([USED]),
  ...owner,
})

describe('the objects of a video', () => {
  it.each([
    ['has no row', null],
    ['was deleted', video({ isDeleted: true })],
    ['was deleted while it was encoded', video({ isDeleted: true, status: 'playable' })],
    ['failed', video({ status: 'failed' })],
  ])('of which it %s are all unused', (_which, owner) => {
    for (const key of ['poster.jpg', '360p/0a0a0a0a/1.m4s', '240p/1.m4s', 'uploads/3/poster.jpg'])
      expect(unusedPrefixOf(MEDIA + key, owner)).toBe(MEDIA)
    expect(unusedPrefixOf(`${SOURCE}source`, owner)).toBe(SOURCE)
  })

  it.each(['queued', 'processing', 'playable'] as const)('that is %s are all used', (status) => {
    for (const key of [`${MEDIA}360p/0c0c0c0c/1.m4s`, `${MEDIA}tiles/1.jpg`, `${SOURCE}source`])
      expect(unusedPrefixOf(key, video({ status, partPrefixes: new Set() }))).toBeNull()
  })

  it.each([
    ['360p/0c0c0c0c/1.m4s', '360p/0c0c0c0c/'],
    ['720p/0a0a0a0a/init.mp4', '720p/0a0a0a0a/'],
    ['audio-0/0a0a0a0a/1.m4s', 'audio-0/0a0a0a0a/'],
    ['tiles/17.jpg', 'tiles/'],
  ])('that is ready include the unused %s', (key, prefix) => {
    expect(unusedPrefixOf(MEDIA + key, video({}))).toBe(MEDIA + prefix)
  })

  it.each([
    '360p/0a0a0a0a/1.m4s',
    '360p/0a0a0a0a/init.mp4',
    // From before renditions had parts.
    '240p/1.m4s',
    'original',
    'poster.jpg',
    'frame-1.jpg',
    'storyboard.jpg',
    'storyboard.vtt',
    'uploads/12345678/poster.jpg',
  ])('that is ready include the used %s', (key) => {
    expect(unusedPrefixOf(MEDIA + key, video({}))).toBeNull()
  })

  it('that is ready include its source only if its account keeps originals', () => {
    expect(unusedPrefixOf(`${SOURCE}source`, video({}))).toBe(SOURCE)
    expect(unusedPrefixOf(`${SOURCE}source`, video({ keepsSource: true }))).toBeNull()
    const copy = `${SOURCE}copies/0a0a/picture`
    expect(unusedPrefixOf(copy, video({ keepsSource: true }))).toBe(`${SOURCE}copies/`)
  })
})
