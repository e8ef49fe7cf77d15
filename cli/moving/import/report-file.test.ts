import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeLines } from './report-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-report-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const COUNT = 100
const linesOf = (run: string): string[] => Array.from({ length: COUNT }, () => `${run}\n`)

it('is that of one run alone, also when two write it at once', async () => {
  const path = join(folder, 'report')
  await Promise.all([writeLines(path, linesOf('one')), writeLines(path, linesOf('another'))])
  const text = await readFile(path, 'utf8')
  expect([linesOf('one').join(''), linesOf('another').join('')]).toContain(text)
  expect(await readdir(folder)).toEqual(['report'])
})

it('leaves nothing behind when it cannot be written to its end', async () => {
  const path = join(folder, 'report')
  function* broken(): Generator<string> {
    yield 'first\n'
    throw new Error('no more')
  }
  await expect(writeLines(path, broken())).rejects.toThrow('no more')
  expect(await readdir(folder)).toEqual(['report'])
})
