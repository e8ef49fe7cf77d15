import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { buildProgram } from '../cli/program.ts'
import { configSchema, SECRET_VARIABLES } from '../config/schema.ts'
import { projectDir } from '../scripts/bootstrap/tools.mjs'
import { noticeDocument } from '../scripts/documents/notice-document.ts'
import { listedFiles } from '../scripts/testing/listed-files.ts'
import { SITUATIONS } from './compose/runbook/run-runbook.ts'
import { runbookSituations } from './compose/runbook/runbook-text.ts'

const FILES = listedFiles()

const DOCUMENTS = FILES.filter(
  (path) =>
    /^docs\/.*\.md$/.test(path) ||
    ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].includes(path),
)
/** Documents whose links are checked too; a history or a template may name what has gone. */
const FURTHER_DOCUMENTS = FILES.filter((path) => path.endsWith('.md') && !DOCUMENTS.includes(path))
const CODE = FILES.filter((path) => /\.(ts|mjs|cjs|js|css)$/.test(path))
const THIS_FILE = 'test/documents.test.ts'

/** A line of the command line: in a code block, in backticks, or in a container. */
const COMMAND_LINE =
  /(?:npm run reelgate -- |exec api reelgate |^reelgate |`reelgate )(?![…"=])([^`#\n]+)/gm

const read = (path: string): string => readFileSync(join(projectDir, path), 'utf8')
const exists = (path: string): boolean => existsSync(join(projectDir, path))

/** Text outside of code blocks. */
const proseOf = (path: string): string => read(path).replaceAll(/^```.*?^```/gms, '')

/** The text of a file with the comment marks of a wrapped sentence removed. */
const unwrapped = (path: string): string => read(path).replaceAll(/\n\s*(\*|\/\/)?\s*/g, ' ')

const headingsOf = (path: string): string[] =>
  [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

/** Relative links of a document, with the path from the project's folder. */
const linksOf = (document: string): { link: string; path: string; anchor: string }[] =>
  [...proseOf(document).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, link = '']) => {
    const [file = '', anchor = ''] = link.split('#')
    const path = file === '' ? document : normalize(join(dirname(document), file))
    return { link, path, anchor }
  })

const FOLDERS = readdirSync(projectDir, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && FILES.some((path) => path.startsWith(`${entry.name}/`)))
  .map(({ name }) => name)

/** Paths in backticks that name a file or a folder of the repository. */
const pathsOf = (document: string): string[] =>
  [...proseOf(document).matchAll(/`([\w.@/-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => FOLDERS.includes(path.split('/')[0] ?? '') && /(\/|\.\w+)$/.test(path))

describe.each([...DOCUMENTS, ...FURTHER_DOCUMENTS])('%s', (document) => {
  it('links to files and headings that exist', () => {
    const broken = linksOf(document).filter(({ path, anchor }) => {
      if (!exists(path)) return true
      return anchor !== '' && !headingsOf(path).map(anchorOf).includes(anchor)
    })
    expect(broken.map(({ link }) => link)).toEqual([])
  })
})

describe.each(DOCUMENTS)('%s', (document) => {
  it('names paths that exist', () => {
    expect(pathsOf(document).filter((path) => !exists(path))).toEqual([])
  })
})

describe.each(['docs', 'docs/operating', 'docs/adr'])('the index of %s', (folder) => {
  it('has each of its pages', () => {
    const index = `${folder}/README.md`
    const pages = DOCUMENTS.filter((path) => dirname(path) === folder && path !== index)
    expect(pages.length).toBeGreaterThan(10)
    const listed = linksOf(index).flatMap(({ path, anchor }) =>
      dirname(path) === folder && path.endsWith('.md') && anchor === '' ? [path] : [],
    )
    expect(pages.filter((path) => !listed.includes(path))).toEqual([])
  })
})

describe('the index of the decisions', () => {
  it('explains each number without a record', () => {
    const numbers = FILES.flatMap((path) => /^docs\/adr\/(\d{4})-/.exec(path)?.[1] ?? [])
    const all = Array.from({ length: Math.max(...numbers.map(Number)) }, (_, index) =>
      String(index + 1).padStart(4, '0'),
    )
    const [, explained = ''] = read('docs/adr/README.md').split('## Numbers without a record')
    const missing = all.filter((number) => !numbers.includes(number))
    expect(missing.filter((number) => !explained.includes(number))).toEqual([])
    expect(new Set(numbers).size).toBe(numbers.length)
  })
})

describe('code and settings', () => {
  it('name only documents that exist', () => {
    const texts = FILES.filter((path) => /\.(ts|tsx|mjs|sh|ya?ml|example)$|Dockerfile$/.test(path))
    const named = texts
      .filter((path) => path !== THIS_FILE)
      .flatMap((path) => read(path).match(/\bdocs\/[\w/-]+\.md\b/g) ?? [])
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((path) => !exists(path))).toEqual([])
  })
})

describe('each situation of the runbook', () => {
  const situations = runbookSituations()

  it('says how many commands it takes', () => {
    expect(situations.length).toBeGreaterThan(20)
    const linesOf = (blocks: string[]) => blocks.join('').trim().split('\n')
    const counted = situations.map(({ title, blocks }) => ({
      title,
      commands: linesOf(blocks).filter((line) => line !== '').length,
    }))
    expect(situations.map(({ title, promised: commands }) => ({ title, commands }))).toEqual(
      counted,
    )
  })

  it('is made by npm run verify:compose, if it has commands', () => {
    const titles = situations.filter(({ blocks }) => blocks.length > 0).map(({ title }) => title)
    expect(titles.filter((title) => !(title in SITUATIONS))).toEqual([])
  })
})

describe('the documents for operators', () => {
  const program = buildProgram({ out: () => {}, error: () => {} })

  /** Returns what of a command line does not exist: a verb or an option. */
  function unknownIn(words: readonly string[]): string[] {
    let command: Command = program
    const options = ['--help', ...program.options.map(({ long }) => long)]
    const unknown: string[] = []
    for (const word of words) {
      const next = command.commands.find((one) => one.name() === word)
      if (next) {
        command = next
        options.push(...next.options.map(({ long }) => long))
      } else if (word.startsWith('--')) {
        if (!options.includes(word)) unknown.push(word)
      } else if (command.commands.length > 0 && command.registeredArguments.length === 0)
        unknown.push(word)
    }
    return unknown
  }

  it('name only verbs and options of the command line that exist', () => {
    const lines = DOCUMENTS.flatMap((path) =>
      [...read(path).matchAll(COMMAND_LINE)].map(
        ([, line = '']) => line.split(' | ')[0]?.trim() ?? '',
      ),
    )
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.filter((line) => unknownIn(line.split(/\s+/)).length > 0)).toEqual([])
    const optionsOfPlan = [...read('docs/drm.md').matchAll(/`(--[\w-]+) <\w+>`/g)]
    expect(optionsOfPlan.length).toBeGreaterThan(4)
    for (const [, option = ''] of optionsOfPlan)
      expect(unknownIn(['plan', 'set', option])).toEqual([])
  })

  it('name only variables of Multi-DRM that exist', () => {
    const named = DOCUMENTS.flatMap((path) => [
      ...read(path).matchAll(/\bDRM_[A-Z_]+\b(?!_?\*|>|_)/g),
    ])
    expect(named.length).toBeGreaterThan(50)
    const names = new Set(named.map(([name]) => name))
    const known = new Set([
      ...Object.keys(configSchema.shape),
      ...SECRET_VARIABLES.map((name) => `${name}_FILE`),
    ])
    expect([...names].filter((name) => !known.has(name))).toEqual([])
  })
})

describe('citations', () => {
  const citing = [...CODE, ...DOCUMENTS].filter((path) => path !== THIS_FILE)

  const citationsOf = (pattern: RegExp): { path: string; cited: string }[] =>
    citing.flatMap((path) =>
      [...unwrapped(path).matchAll(pattern)].map(([text, cited = text]) => ({ path, cited })),
    )

  it('of the contract name one of its headings', () => {
    const headings = [...headingsOf('docs/contract.md'), 'Heading']
    const cited = citationsOf(/contract, "([^"]+)"/g)
    expect(cited.filter((one) => !headings.includes(one.cited))).toEqual([])
    expect(cited.length).toBeGreaterThan(20)
  })

  it('of an ADR name one that exists', () => {
    const numbers = FILES.filter((path) => path.startsWith('docs/adr/')).map((path) =>
      path.slice('docs/adr/'.length, 'docs/adr/0000'.length),
    )
    const cited = citationsOf(/\bADR[ -](\d{4})\b/g)
    expect(cited.filter((one) => !numbers.includes(one.cited))).toEqual([])
    expect(cited).not.toEqual([])
  })

  it('name no document that is outside the repository', () => {
    expect(
      citationsOf(
        /\bdesign(?:\.md)?, sections?\b|\bthe notes\b|\bspec, (?:"|[A-Z]+ \/)|\b(?:design|spec)\.md\b/g,
      ),
    ).toEqual([])
  })
})

describe('NOTICE', () => {
  it('names every package of a production installation: `npm run notice` writes it', () => {
    expect(read('NOTICE')).toBe(noticeDocument())
  })
})
