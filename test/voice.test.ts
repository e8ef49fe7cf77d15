import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectDir } from '../scripts/bootstrap/tools.mjs'
import { listedFiles } from '../scripts/testing/listed-files.ts'

const FILES = listedFiles().filter((path) => !path.startsWith('third-party/'))

const THIS_FILE = 'test/voice.test.ts'

/** A changelog says what earlier releases said. */
const DOCUMENTS = FILES.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md')
const CODE = FILES.filter(
  (path) => /\.(tsx?|mjs|cjs|css|ya?ml)$|Dockerfile$/.test(path) && path !== THIS_FILE,
)

/** Words for which the glossary has another one, and words that no engineer says. */
const BANNED =
  /\b(?:(?:un)?answer(?:s|ed|ing)?|films?|(?<!surround )sounds?|nobody|whoever|anew|whence|henceforth|told of)\b/gi

/** A comment of code or of a configuration. An address (`https://…`) or a pattern of paths begins none. */
const COMMENT = /(?<=^|[\s{(])\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm
const YAML_COMMENT = /(?<=^|\s)# .*$/gm
const TITLE =
  /(?:\b(?:it|describe|itOfAll)(?:\.\w+)*|\]\s*(?:as const)?\s*\))\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`([^`]*)`)/g

/** Names in backticks, addresses and file names keep the words that they have. */
const prose = (text: string): string =>
  text
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/`[^`\n]*`|\]\([^)]*\)|\bhttps?:\S+|[\w./-]+\.(?:tsx?|mjs|md)\b/g, ' ')

const bannedIn = (path: string, texts: readonly string[]): string[] =>
  texts.flatMap((text) => (prose(text).match(BANNED) ?? []).map((word) => `${path}: ${word}`))

const read = (path: string): string => readFileSync(join(projectDir, path), 'utf8')

/** The comments and the titles of tests of a file. */
function textsOf(path: string): string[] {
  const text = read(path)
  const comments = text.match(/ya?ml$|Dockerfile$/.test(path) ? YAML_COMMENT : COMMENT) ?? []
  const titles = [...text.matchAll(TITLE)].map(([, quoted, template]) => quoted ?? template ?? '')
  return path.includes('.test.') ? [...comments, ...titles] : comments
}

describe('the words of the project', () => {
  it('are those of the glossary in documents', () => {
    expect(DOCUMENTS.length).toBeGreaterThan(50)
    expect(DOCUMENTS.flatMap((path) => bannedIn(path, [read(path)]))).toEqual([])
  })

  it('are those of the glossary in comments and titles of tests', () => {
    const texts = CODE.map((path) => ({ path, texts: textsOf(path) }))
    expect(texts.flatMap((one) => one.texts).length).toBeGreaterThan(5_000)
    expect(texts.flatMap((one) => bannedIn(one.path, one.texts))).toEqual([])
  })

  it('are found in a comment, a title and a document', () => {
    expect(
      bannedIn('a', ['/** The answer. */', '// With sound.', 'a `film` of two films']),
    ).toEqual(['a: answer', 'a: sound', 'a: films'])
    expect(
      ["it('answers', () => {", "])('a film %s', () => {"].join('\n').match(TITLE)?.length,
    ).toBe(2)
  })
})
