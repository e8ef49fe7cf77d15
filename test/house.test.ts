import { readFileSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectDir } from '../scripts/bootstrap/tools.mjs'
import { listedFiles } from '../scripts/testing/listed-files.ts'

const IS_WRITE = /^db\/[^/]+\/write-[^/]+\.ts$/
/** They change whole tables, or the schema. */
const IS_SCHEMA = /^db\/(migrations|schema|backup)\//

/** Tests with what they need, copies, and migrations, of which each release adds some. */
const NO_PRODUCT = /\.test\.ts$|^(test|bench|third-party|db\/migrations)\//

/** Calls of MikroORM and kysely that write, and SQL that does. */
const WRITING = [
  /\.(insertInto|updateTable|deleteFrom|mergeInto)\(/,
  /\.(nativeInsert|nativeUpdate|nativeDelete|insertMany|upsert|upsertMany|persist|flush)\(/,
  /\b(em|tx)\.(insert|create|remove)\(/,
  /\b(insert into|delete from|merge into|truncate)\b/i,
  /\bupdate (\$\{.*?\}|\w+)( \w+)? set\b/i,
]

async function writes(file: string): Promise<boolean> {
  const text = await readFile(join(projectDir, file), 'utf8')
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  return WRITING.some((pattern) => pattern.test(code))
}

describe('a file of db/', () => {
  it('is named write-… if it inserts, updates or deletes, and only then', async () => {
    const wrong: string[] = []
    let count = 0
    for await (const file of glob('db/**/*.ts', { cwd: projectDir })) {
      if (IS_SCHEMA.test(file) || file.endsWith('.test.ts')) continue
      if ((await writes(file)) !== IS_WRITE.test(file)) wrong.push(file)
      count += 1
    }
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(100)
  })
})

describe('a file that writes and is no command', () => {
  const rules = readFileSync(join(projectDir, '.dependency-cruiser.cjs'), 'utf8')
  const [, list = ''] = /const WRITERS = \[(.*?)\n\]/s.exec(rules) ?? []
  const writers = [...list.matchAll(/'(.+)'/g)].map(([, file = '']) => file)

  it.each(writers)(
    'has its reason in ARCHITECTURE.md, and needs the exception: %s',
    async (file) => {
      const architecture = await readFile(join(projectDir, 'ARCHITECTURE.md'), 'utf8')
      expect(architecture).toMatch(new RegExp(`\`(\\S+/)?${basename(file)}\``))
      expect(await readFile(join(projectDir, file), 'utf8')).toMatch(
        / from '.*\/write-[^/]+\.ts'$/m,
      )
    },
  )
})

describe('a folder', () => {
  it('has at most 30 files of the product on its floor', () => {
    const files = listedFiles().filter(
      (path) => /\.(tsx?|mjs|css)$/.test(path) && !NO_PRODUCT.test(path),
    )
    const floors = Object.entries(Object.groupBy(files, (path) => dirname(path)))
    expect(floors.length).toBeGreaterThan(100)
    const tall = floors.filter(([, inside = []]) => inside.length > 30)
    expect(tall.map(([folder]) => folder)).toEqual([])
  })
})
