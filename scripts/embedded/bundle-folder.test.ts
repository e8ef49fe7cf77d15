import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bundleFolder } from './bundle-folder.ts'

let root: string
let sources: string
let folder: string
const find = () => bundleFolder({ sources, folder })

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'reelgate-bundles-'))
  sources = join(root, 'sources')
  folder = join(root, 'cache', 'bundles')
  await mkdir(join(sources, 'workflows', 'parts'), { recursive: true })
  await mkdir(join(sources, 'node_modules'))
  await writeFile(join(sources, 'workflows', 'parts', 'a.ts'), 'export {}')
})
afterEach(() => rm(root, { recursive: true }))

it('the folder of bundles is the same until a source, its name or the packages change', async () => {
  const first = await find()
  await writeFile(join(sources, 'workflows', 'parts', 'a.test.ts'), 'a test')
  await writeFile(join(sources, 'node_modules', 'index.js'), 'as the lockfile says')
  await writeFile(join(sources, 'README.md'), 'text')
  expect(await find()).toBe(first)
  const seen = [first]
  for (const [name, content] of [
    ['workflows/parts/a.ts', 'export { }'],
    ['workflows/parts/b.ts', ''],
    ['package-lock.json', '{}'],
  ] as const) {
    await writeFile(join(sources, name), content)
    seen.push(await find())
  }
  expect(new Set(seen).size).toBe(4)
})

it('keeps the folders of the last five states of the sources', async () => {
  const found: (string | undefined)[] = []
  for (const minutesAgo of [6, 5, 4, 3, 2, 1]) {
    await writeFile(join(sources, 'a.ts'), String(minutesAgo))
    const path = await find()
    const usedAt = new Date(Date.now() - minutesAgo * 60_000)
    await utimes(path ?? '', usedAt, usedAt)
    found.push(path)
  }
  const kept = (await readdir(folder)).map((name) => join(folder, name))
  expect(new Set(kept)).toEqual(new Set(found.slice(1)))
})

it('there is none where it cannot be written', async () => {
  await writeFile(join(root, 'cache'), 'no folder')
  expect(await find()).toBeUndefined()
})
