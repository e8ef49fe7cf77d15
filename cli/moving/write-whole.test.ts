import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeWhole } from './write-whole.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-report-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const COUNT = 100
const linesOf = (run: string): string[] => Array.from({ length: COUNT }, () => `${run}\n`)

describe('a report', () => {
  it('is that of one run alone, also when two write it at once', async () => {
    const path = join(folder, 'report')
    await Promise.all([writeWhole(path, linesOf('one')), writeWhole(path, linesOf('another'))])
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
    await expect(writeWhole(path, broken())).rejects.toThrow('no more')
    expect(await readdir(folder)).toEqual([])
  })

  it('is written through no link that another user has put beside it, and is for this user alone', async () => {
    const [path, target] = [join(folder, 'report.ndjson'), join(folder, 'target')]
    await writeFile(target, 'mine')
    await symlink(target, `${path}.part`)
    await symlink(target, path)
    await writeWhole(path, ['one\n', 'two\n'])
    expect(await readFile(target, 'utf8')).toBe('mine')
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).toSorted()).toEqual([
      'report.ndjson',
      'report.ndjson.part',
      'target',
    ])
  })
})
