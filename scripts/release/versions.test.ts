import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../processes/version.ts'
import { projectDir } from '../bootstrap/tools.mjs'
import { ARCHITECTURES, listBinaries } from './binaries.ts'
import { sectionOf, unreleasedOf, withRelease } from './changelog.ts'
import { SkippedError, Steps } from './steps.ts'
import { chooseVersion, setVersion, versionsIn } from './versions.ts'

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [0.1.0] - 2026-11-23\n\n- B.\n'

describe('every place with the version', () => {
  it('has that of package.json', async () => {
    const places = await versionsIn(projectDir)
    expect(places.filter((place) => !place.endsWith(` ${VERSION}`))).toEqual([])
  })

  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgate-version-'))
    const files = (await versionsIn(projectDir)).map((place) => place.split(': ')[0] ?? '')
    for (const file of new Set([...files, 'CHANGELOG.md']))
      await cp(join(projectDir, file), join(folder, file))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('gets that of a new release, whose section of the changelog has all that was unreleased', async () => {
    const before = await readFile(join(folder, 'CHANGELOG.md'), 'utf8')
    // Right after a release, nothing is unreleased.
    if (unreleasedOf(before) === '') return
    await setVersion(folder, '98.7.65', '2026-12-24')
    const places = await versionsIn(folder)
    expect(places.filter((place) => !place.endsWith(' 98.7.65'))).toEqual([])
    const after = await readFile(join(folder, 'CHANGELOG.md'), 'utf8')
    expect(unreleasedOf(after)).toBe('')
    expect(sectionOf(after, '98.7.65')).toBe(unreleasedOf(before))
    expect(JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))).toMatchObject({
      version: '98.7.65',
      packages: { '': { version: '98.7.65' } },
    })
  })
})

describe('the changelog of a release', () => {
  it('gets a section with the date below a new empty one', () => {
    const after = withRelease(CHANGELOG, '0.2.0', '2026-12-24')
    expect(after).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-12-24\n\n### Added\n\n- A.\n')
    expect(sectionOf(after, '0.2.0')).toBe('### Added\n\n- A.')
    expect(sectionOf(after, '0.1.0')).toBe('- B.')
  })

  it('is refused if it has nothing new, no such section, or a heading twice', () => {
    const empty = CHANGELOG.replace('### Added\n\n- A.\n\n', '')
    expect(() => withRelease(empty, '0.2.0', '2026-12-24')).toThrow('nothing under [Unreleased]')
    expect(() => sectionOf(CHANGELOG, '0.3.0')).toThrow('no section of 0.3.0')
    const twice = CHANGELOG.replace('- A.', '- A.\n\n### Added\n\n- C.')
    expect(() => withRelease(twice, '0.2.0', '2026-12-24')).toThrow('Added')
  })
})

describe('the version of a release', () => {
  const choose = (asked: string | undefined, hasUnreleased: boolean) => () =>
    chooseVersion({ current: '1.9.3', asked, hasUnreleased })

  it('is the one that was asked for, else the next minor one, or the current one without changes', () => {
    expect(choose('2.0.0', true)()).toBe('2.0.0')
    expect(choose(undefined, true)()).toBe('1.10.0')
    expect(choose(undefined, false)()).toBe('1.9.3')
    expect(choose('1.9.3', false)()).toBe('1.9.3')
  })

  it('is refused if it is older, released already, without changes, or no version', () => {
    expect(choose('1.8.9', true)).toThrow('older than 1.9.3')
    expect(choose('1.9.3', true)).toThrow('released already')
    expect(choose('1.9.4', false)).toThrow('nothing for 1.9.4')
    expect(choose('v2', true)).toThrow('no version')
  })
})

describe('the images', () => {
  it('have every program for each of their processors', async () => {
    const binaries = await listBinaries(projectDir)
    expect(binaries.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['shaka-packager', '@temporalio/core-bridge', '@esbuild/linux']),
    )
    for (const { name, architectures } of binaries)
      expect([name, architectures]).toEqual([name, [...ARCHITECTURES]])
  })
})

describe('the steps of a release', () => {
  it('name each one that is skipped, with the reason, and stop at a failure', async () => {
    const lines: string[] = []
    const steps = new Steps((line) => void lines.push(line))
    await steps.run('one', async () => 'done')
    await steps.run('two', () => Promise.reject(new SkippedError('no engine')))
    await expect(steps.run('three', () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    )
    expect(lines).toEqual(['✓ one: done (0 s)', '– two: skipped, no engine', '✗ three'])
    expect(steps.skipped).toEqual(['two: no engine'])
  })
})
