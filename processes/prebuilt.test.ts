import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { prebuilt, writePrebuilt } from './prebuilt.ts'

let folder: string
beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'reelgate-prebuilt-')), 'new')
})
afterAll(() => rm(join(folder, '..'), { recursive: true }))

const make = async () => ({ files: [Buffer.from('made')], routes: new Map([['a', ['b']]]) })
const refuse = () => Promise.reject(new Error('it is not made again'))

it('a process makes what PREBUILT_DIR lacks, and takes what it has', async () => {
  const made = await prebuilt(folder, 'dashboard-app', make)
  expect(made).toEqual(await make())
  await writePrebuilt(folder, 'dashboard-app', made)
  expect(await prebuilt(folder, 'dashboard-app', refuse)).toEqual(made)
})

it('what a process makes is kept for the next one where PREBUILT_DIR is a folder, by two at once too', async () => {
  const none = join(folder, 'none')
  await prebuilt(none, 'player-assets', make)
  await expect(readdir(none)).rejects.toThrow('ENOENT')
  await mkdir(folder, { recursive: true })
  const made = await Promise.all([1, 2].map(() => prebuilt(folder, 'player-assets', make)))
  expect(await prebuilt(folder, 'player-assets', refuse)).toEqual(made[0])
  expect((await readdir(folder)).filter((name) => name.startsWith('player'))).toHaveLength(1)
})
