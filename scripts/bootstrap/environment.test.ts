import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { pinnedNode, projectDir } from './tools.mjs'

const home = mkdtempSync(join(tmpdir(), 'home-test-'))
afterAll(() => rmSync(home, { recursive: true }))

/** Returns what the module makes of an environment, in a separate process. */
async function cachesWith(env: Record<string, string>) {
  const script = `
    const { cacheDir, mavenCacheArguments, npmCacheVariables } = await import('./scripts/bootstrap/environment.mjs')
    console.log(JSON.stringify({ programs: cacheDir(), npm: npmCacheVariables(), maven: mavenCacheArguments() }))`
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(pinnedNode, args, { cwd: projectDir, env })
  return JSON.parse(stdout) as unknown
}

describe('the caches of the bootstrap', () => {
  const inClone = join(projectDir, '.cache', 'reelgate')

  it('are in the home folder, which all clones share', async () => {
    const programs = join(home, '.cache', 'reelgate')
    expect(await cachesWith({ HOME: home })).toEqual({ programs, npm: {}, maven: [] })
  })

  it('are in the clone if the home folder cannot be written or does not exist', async () => {
    expect(await cachesWith({ HOME: '/dev/null/home' })).toEqual({
      programs: inClone,
      npm: { npm_config_cache: join(inClone, 'npm') },
      maven: [`-Dmaven.repo.local=${join(inClone, 'maven')}`],
    })
  })

  it('are in the clone also if npm, which runs the script, names the cache of that home folder', async () => {
    const env = { HOME: '/dev/null/home', npm_config_cache: '/dev/null/home/.npm' }
    expect(await cachesWith(env)).toMatchObject({ npm: { npm_config_cache: join(inClone, 'npm') } })
  })

  it('are where the environment says', async () => {
    const env = { HOME: '/dev/null/home', REELGATE_CACHE_DIR: home, npm_config_cache: home }
    expect(await cachesWith(env)).toMatchObject({ programs: home, npm: {} })
    const shared = { HOME: '/dev/null/home', XDG_CACHE_HOME: home }
    expect(await cachesWith(shared)).toMatchObject({ programs: join(home, 'reelgate') })
  })
})

describe('the bootstrap', () => {
  it('asks for a newer Node in one sentence if it is started by one before 18', async () => {
    const script = `
      Object.defineProperty(process.versions, 'node', { value: '16.20.2' })
      process.argv.splice(1, 0, 'run.mjs')
      await import('./scripts/bootstrap/run.mjs')`
    const args = ['--input-type=module', '--eval', script, 'start']
    const run = promisify(execFile)(pinnedNode, args, { cwd: projectDir })
    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        '\nNode 18 or later is needed, and this is Node 16.20.2: install a newer one, then run this again.\n',
    })
  })
})
