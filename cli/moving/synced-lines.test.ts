import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-lines-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const MODULE = new URL('synced-lines.ts', import.meta.url).href

/** Adds lines in a process of its own, whose files have room for the beginning of the second one alone until it was refused. */
const ADD_LINES = `
  import { execFileSync } from 'node:child_process'
  import { appendTo } from '${MODULE}'
  const limit = (bytes) => execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':'])
  const lines = appendTo(process.argv[1])
  await lines.add('{"first":1}')
  limit(20)
  const refused = await lines.add('{"second":2}').catch(({ code }) => code)
  limit('unlimited')
  await lines.add('{"third":3}')
  await lines.close()
  console.log(refused)`

it('begins a new line behind one that a full disk has cut', async () => {
  const path = join(folder, 'lines')
  const args = ['--no-warnings', '--input-type=module', '--eval', ADD_LINES, path]
  const { stdout } = await execa(process.execPath, args, { timeout: 60_000 })
  expect(stdout).toBe('EFBIG')
  const lines = (await readFile(path, 'utf8')).split('\n').filter(Boolean)
  expect([lines[0], lines.at(-1)]).toEqual(['{"first":1}', '{"third":3}'])
})
