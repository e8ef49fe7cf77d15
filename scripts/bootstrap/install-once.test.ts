import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inheritedEnvironment, pinnedNode, projectDir } from './tools.mjs'

let cache: string
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'cache-test-'))
})
afterEach(() => rmSync(cache, { recursive: true }))

/** Installs `thing` in a separate process; the build takes `ms` and appends to builds.txt. */
async function install(ms: number, thenThrow = false) {
  const script = `
    import { appendFileSync, writeFileSync } from 'node:fs'
    import { installOnce } from './scripts/bootstrap/install-once.mjs'
    await installOnce('thing', 'A thing', async (into) => {
      appendFileSync(${JSON.stringify(join(cache, 'builds.txt'))}, 'x')
      await new Promise((done) => setTimeout(done, ${ms}))
      if (${thenThrow}) throw new Error('no luck')
      writeFileSync(into + '/program', '')
    })`
  const args = ['--input-type=module', '--eval', script]
  const env = { ...inheritedEnvironment(), REELGATE_CACHE_DIR: cache }
  return promisify(execFile)(pinnedNode, args, { cwd: projectDir, env })
}

const builds = () => readFileSync(join(cache, 'builds.txt'), 'utf8').length

describe('installOnce', () => {
  it('builds once for concurrent bootstraps; the others wait', async () => {
    await Promise.all([install(500), install(500), install(500)])
    expect(builds()).toBe(1)
    expect(readdirSync(cache).toSorted()).toEqual(['builds.txt', 'thing'])
  })

  it('leaves nothing after a failed build, and the next attempt succeeds', async () => {
    await expect(install(0, true)).rejects.toThrow('no luck')
    expect(readdirSync(cache)).toEqual(['builds.txt'])
    await install(0)
    expect(existsSync(join(cache, 'thing', 'program'))).toBe(true)
  })

  it('builds despite the lock and the partial build of a killed bootstrap', async () => {
    mkdirSync(join(cache, 'thing.tmp-4194303'))
    writeFileSync(join(cache, 'thing.lock'), '4194303')
    await install(0)
    expect(readdirSync(cache).toSorted()).toEqual(['builds.txt', 'thing'])
  })

  it('advises what to do if the cache is not writable', async () => {
    const script = `
      const tools = await import('./scripts/bootstrap/install-once.mjs')
      await tools.installOnce('thing', 'A thing', () => {}).catch(({ message }) => console.log(message))`
    const env = { ...inheritedEnvironment(), REELGATE_CACHE_DIR: '/dev/null/cache' }
    const args = ['--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(pinnedNode, args, { cwd: projectDir, env })
    expect(stdout).toMatch(/^The cache \/dev\/null\/cache cannot be written \(ENOTDIR: /)
    expect(stdout).toContain('REELGATE_CACHE_DIR')
  })
})
