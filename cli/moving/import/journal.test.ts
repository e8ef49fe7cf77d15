import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openJournal } from './journal.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-journal-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('knows a video as made by the import, also when a second run at once has found it', async () => {
  const path = join(folder, 'journal')
  const [one, other] = [await openJournal(path), await openJournal(path)]
  const entry = { sha256: 'a1', videoId: 'v1', done: new Set(['captions'] as const) }
  await one.noteEntry('own-1', { ...entry, uploadId: 7 })
  await other.noteEntry('own-1', { ...entry, uploadId: null, done: new Set() })
  await other.noteEntry('own-1', { ...entry, uploadId: null })
  await one.noteEntry('own-2', { ...entry, uploadId: 8 })
  await other.noteEntry('own-2', { ...entry, videoId: 'v2', uploadId: null })
  await Promise.all([one.close(), other.close()])
  const again = await openJournal(path)
  expect(again.entry('own-1')).toEqual({ ...entry, uploadId: 7, importId: undefined })
  expect(again.entry('own-2')).toMatchObject({ videoId: 'v2', uploadId: null })
  await again.close()
})
