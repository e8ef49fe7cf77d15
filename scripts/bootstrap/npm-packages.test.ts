import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { itOfAll } from '../../test/infrastructure/every-case.ts'
import { inheritedEnvironment, pinnedNode, projectDir } from './tools.mjs'

/** A project with its archives and its lock file, made once: each call of npm takes a second. */
let prepared: string
let folder: string
beforeAll(async () => {
  prepared = mkdtempSync(join(tmpdir(), 'npm-packages-'))
  await pack({ node: 'bin/node', tool: 'index.js', newer: 'index.js' })
  await writeProject(prepared, { dependencies: { node: NODE }, devDependencies: { tool: TOOL } })
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'npm-packages-'))
  cpSync(prepared, folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))
afterAll(() => rmSync(prepared, { recursive: true }))

const NODE = 'file:node-1.0.0.tgz'
const TOOL = 'file:tool-1.0.0.tgz'

/** Makes packages with one more file each, as archives that npm installs without a registry. */
async function pack(packages: Record<string, string>): Promise<void> {
  const sources = Object.entries(packages).map(([name, file]) => {
    const source = join(prepared, 'sources', name)
    mkdirSync(join(source, file, '..'), { recursive: true })
    writeFileSync(join(source, file), `module.exports = '${name}'`)
    writeFileSync(join(source, 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
    return source
  })
  await execa('npm', ['pack', ...sources], { cwd: prepared })
}

async function writeProject(cwd: string, dependencies: object): Promise<void> {
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'project', ...dependencies }))
  await execa('npm', ['install', '--package-lock-only', '--offline'], { cwd })
}

/** Runs the bootstrap's part in a process of its own; each npm of it writes a line at its start and at its end. */
async function ensure(withDevelopment: boolean): Promise<void> {
  const programs = join(folder, 'programs')
  const log = join(folder, 'npm.txt')
  const { stdout: npm } = await execa('which', ['npm'])
  mkdirSync(programs, { recursive: true })
  const wrapper = `#!/bin/sh\necho start >> '${log}'\n'${npm}' "$@"\nstatus=$?\necho end >> '${log}'\nexit $status\n`
  writeFileSync(join(programs, 'npm'), wrapper)
  chmodSync(join(programs, 'npm'), 0o755)
  const script = `
    import { ensureNpmPackages } from './scripts/bootstrap/npm-packages.mjs'
    await ensureNpmPackages(${JSON.stringify({ withDevelopment, folder })})`
  const environment = inheritedEnvironment()
  const env = { ...environment, PATH: `${programs}:${environment['PATH']}` }
  const args = ['--input-type=module', '--eval', script]
  await promisify(execFile)(pinnedNode, args, { cwd: projectDir, env })
}

const has = (name: string): boolean => existsSync(join(folder, 'node_modules', name))
const npmRuns = (): string[] => readFileSync(join(folder, 'npm.txt'), 'utf8').trim().split('\n')

describe('the npm packages', () => {
  it('of a start are those of production, installed once', async () => {
    await ensure(false)
    await ensure(false)
    expect([has('node'), has('tool')]).toEqual([true, false])
    expect(npmRuns()).toEqual(['start', 'end'])
  })

  it('that only tests need are added while a service loads its packages all the time', async () => {
    await ensure(false)
    const loaded = join(folder, 'node_modules', 'node', 'bin', 'node')
    const before = statSync(loaded)
    const service = execa(pinnedNode, ['--eval', LOAD_FOREVER, loaded], { reject: false })
    try {
      await ensure(true)
      expect([has('node'), has('tool')]).toEqual([true, true])
      expect(statSync(loaded)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
    } finally {
      service.kill()
    }
    expect((await service).signal).toBe('SIGTERM')
  })

  itOfAll('that only tests need stay when a later start lacks a package', async () => {
    await ensure(true)
    await writeProject(folder, {
      dependencies: { node: NODE, newer: 'file:newer-1.0.0.tgz' },
      devDependencies: { tool: TOOL },
    })
    await ensure(false)
    expect([has('newer'), has('tool')]).toEqual([true, true])
  })

  itOfAll('are installed by one npm at a time for concurrent bootstraps', async () => {
    await Promise.all([ensure(true), ensure(false), ensure(true)])
    expect([has('node'), has('tool')]).toEqual([true, true])
    const runs = npmRuns()
    expect(runs.length).toBeLessThanOrEqual(4)
    expect(runs).toEqual(runs.map((_, place) => (place % 2 === 0 ? 'start' : 'end')))
    expect(existsSync(join(folder, '.cache', 'npm.lock'))).toBe(false)
  })
})

/** Ends with an error as soon as the file of the first argument cannot be loaded. */
const LOAD_FOREVER = `
  const { readFileSync } = require('node:fs')
  const load = () => { readFileSync(process.argv[1]); setTimeout(load, 1) }
  load()`
