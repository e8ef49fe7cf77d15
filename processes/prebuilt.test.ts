import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { prebuilt, writePrebuilt } from './prebuilt.ts'

let folder: string
beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'reelgate-prebuilt-')), 'new')
})
afterAll(() => rm(join(folder, '..'), { recursive: true }))

it('a process makes what PREBUILT_DIR lacks, and takes what it has', async () => {
  const make = async () => ({ files: [Buffer.from('made')], routes: new Map([['a', ['b']]]) })
  const made = await prebuilt(folder, 'dashboard-app', make)
  expect(made).toEqual(await make())
  await writePrebuilt(folder, 'dashboard-app', made)
  const refuse = () => Promise.reject(new Error('it is not made again'))
  expect(await prebuilt(folder, 'dashboard-app', refuse)).toEqual(made)
})
