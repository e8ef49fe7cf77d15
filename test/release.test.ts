import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectDir } from '../scripts/bootstrap/tools.mjs'

/** The newest migration of the first release, 0.1.0. */
const FIRST_RELEASE = 'migration-20261201150000'
const REMOVES =
  /\b(drop (table|column|type)|rename (to|column)|set not null|alter column \S+ type)\b/i
/**
 * Change types, or replace tables by partitioned ones of the same names, so that the release before reads and writes them:
 * verify:upgrade and partitioned-deliveries.test.ts show it (ADR 0040, 0058).
 */
const COMPATIBLE = [
  'migration-20261206100000-wide-keys.ts',
  'migration-20261221100000-partitioned-deliveries.ts',
]

const read = (path: string) => readFile(join(projectDir, path), 'utf8')

describe('the version', () => {
  it('of the package is that of the newest release in the changelog', async () => {
    const { version } = JSON.parse(await read('package.json')) as { version: string }
    const [, newest] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(await read('CHANGELOG.md')) ?? []
    expect(newest).toBe(version)
  })
})

describe('a migration since the first release', () => {
  it('removes nothing that the release before uses, unless its name says contract or a test shows that the release before works with it', async () => {
    const names = await readdir(join(projectDir, 'db/migrations'))
    const added = names.filter(
      (name) => name > FIRST_RELEASE && !name.includes('-contract') && !COMPATIBLE.includes(name),
    )
    const texts = await Promise.all(
      added.map(async (name) => ({ name, text: await read(`db/migrations/${name}`) })),
    )
    expect(texts.filter(({ text }) => REMOVES.test(text)).map(({ name }) => name)).toEqual([])
    expect(REMOVES.test('alter table video drop column warnings')).toBe(true)
  })
})
