import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { execa } from 'execa'
import { makeMemoryFolder } from './memory-folder.ts'

it('the folder of a test run is empty, and those of killed runs are removed, but no other', async () => {
  const first = makeMemoryFolder()
  const ended = execa('true')
  await ended
  const ofKilled = join(dirname(first), `reelgate-test-${ended.pid}-left`)
  mkdirSync(join(ofKilled, 'postgres'), { recursive: true })
  const second = makeMemoryFolder()
  expect(second).not.toBe(first)
  expect([first, second, ofKilled].map((path) => existsSync(path))).toEqual([true, true, false])
  for (const path of [first, second]) rmSync(path, { recursive: true })
})
