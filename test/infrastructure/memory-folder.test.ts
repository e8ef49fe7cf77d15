import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { makeMemoryFolder } from './memory-folder.ts'

it('the folder of a test run is empty, and those of killed runs are removed, but no other', async () => {
  const first = await makeMemoryFolder()
  // The kernel releases the lock of a killed run.
  const ofKilled = join(dirname(first.path), crypto.randomUUID())
  mkdirSync(join(ofKilled, 'postgres'), { recursive: true })
  const second = await makeMemoryFolder()
  expect(second.path).not.toBe(first.path)
  const paths = [first.path, second.path, ofKilled]
  expect(paths.map((path) => existsSync(path))).toEqual([true, true, false])
  for (const folder of [first, second]) await folder.release()
  expect(paths.map((path) => existsSync(path))).toEqual([false, false, false])
})
